"""Both counts of the chain."""

from app.web.counts import chain_counts
from tests.web.practising import PAGE


def test_both_counts_are_those_of_the_card():
    assert [(count.separate, count.fused) for count in chain_counts()] == [(6, 2), (7, 3), (6, 3)]


def test_the_claim_shows_both_counts_side_by_side_and_leads_to_its_experiment(client):
    page = client.get(f"{PAGE}?open=claims").text
    for ratio in ("6/2 = 3×", "7/3 = 2.33×", "6/3 = 2×"):
        assert ratio in page
    assert 'href="/experiments/chain"' in page
