"""Both counts of the chain."""

import pytest

from app.web.counts import chain_counts, without_residual
from kernels.traffic import card_speedup
from tests.web.practising import PAGE


def test_both_counts_are_those_of_the_card():
    assert [(count.separate, count.fused) for count in chain_counts()] == [(6, 2), (7, 3), (6, 3)]


@pytest.mark.parametrize("direction", ["forward", "backward", "both"])
def test_the_count_without_the_residual_is_the_one_that_the_benchmark_tells(direction):
    assert without_residual(direction).ratio == pytest.approx(card_speedup(direction))


def test_the_claim_shows_both_counts_side_by_side_and_leads_to_its_experiment(client):
    page = client.get(f"{PAGE}?open=claims").text
    for ratio in ("6/2 = 3×", "7/3 = 2.33×", "6/3 = 2×"):
        assert ratio in page
    assert 'href="/experiments/chain"' in page
