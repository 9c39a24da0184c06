"""The lab's own small kernels and counts: against float64, and against values worked by hand."""

import pytest

from tests.kernels.needs import DEVICE, inputs, normal, torch  # isort: skip
from kernels.arithmetic import flops
from kernels.bench.experiments import multiply_adds
from kernels.bench.experiments.encoder_products import of_block
from kernels.bench.experiments.erf_chain import start
from kernels.bench.experiments.stages import counts
from kernels.reference import error, exact_chain
from kernels.traffic import Chain, total_bytes


@pytest.mark.parametrize(("activation", "known"), [("erf", "gelu"), ("gelu", "gelu"),
                                                   ("identity", "identity")])  # fmt: skip
@pytest.mark.parametrize("features", [64, 70, 1])
def test_the_plain_chain_follows_float64_on_padded_rows_too(activation, known, features):
    given, _ = inputs(5, features)
    y = torch.full((5, features), float("nan"), device=DEVICE)
    start(*given, y, activation, 24)
    assert error(y, exact_chain(*given, activation=known)) < 2e-6


def test_multiply_adds_end_where_their_closed_form_does():
    x = normal(2 * multiply_adds.BLOCK)
    y = multiply_adds.start(x, torch.empty_like(x), 3)
    assert error(y, multiply_adds.exact(x, 3)) < 1e-5
    assert multiply_adds.flops(x.numel(), 3) == 2 * 2048 * 3 * 16


def test_the_stages_add_up_to_the_chain():
    chain = Chain(48_000, 1280)
    found = counts(chain)
    stages = [found[name] for name in ("norm", "activation", "add")]
    assert sum(stage[1] for stage in stages) == flops(chain, "separate", "forward")
    assert sum(stage[0] for stage in stages) == total_bytes(chain, "separate", "forward")
    assert found["fused"][1] / chain.elements == 13  # 7 of the norm, 5 of GELU, 1 of the addition


def test_an_encoder_blocks_products_have_their_textbook_counts():
    up, down, projection, scores = of_block(32, 1500, 1280)
    assert up.flops == down.flops == 2 * 48_000 * 1280 * 5120
    assert up.bytes(2) == 2 * (48_000 * 1280 + 1280 * 5120 + 48_000 * 5120)
    assert projection.flops == 2 * 48_000 * 1280**2
    assert (scores.count, scores.rows, scores.inner) == (640, 1536, 64)
    assert scores.flops / scores.bytes(2) == pytest.approx(59, rel=0.01)
