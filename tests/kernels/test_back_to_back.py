"""Two products in one kernel give what two products give."""

import pytest

from tests.kernels.needs import normal, torch  # isort: skip
from kernels.bench.experiments import back_to_back
from kernels.bench.experiments.back_to_back import Blocks, blocks, fused_products
from kernels.reference import error

ACTIVATIONS = {
    "identity": lambda h: h,
    "gelu_tanh": lambda h: torch.nn.functional.gelu(h, approximate="tanh"),
}


def given(rows: int, features: int, hidden: int, dtype=torch.float16):
    return (
        normal(rows, features, seed=1, dtype=dtype),
        normal(features, hidden, seed=2, dtype=dtype) * features**-0.5,
        normal(hidden, features, seed=3, dtype=dtype) * hidden**-0.5,
    )


@pytest.mark.parametrize("between", ACTIVATIONS)
@pytest.mark.parametrize("rows", [1, 130])
def test_rows_that_a_program_holds_whole(between, rows):
    x, first, second = given(rows, 32, 128)
    exact = ACTIVATIONS[between](x.double() @ first.double()) @ second.double()
    assert error(fused_products(x, first, second, between), exact) < 2e-3


def test_rows_shared_out_over_programs_that_walk_over_x(monkeypatch):
    monkeypatch.setattr(back_to_back, "blocks", lambda *_: Blocks(16, 32, 16, 16, 4, 2))
    x, first, second = given(40, 96, 64)
    exact = x.double() @ first.double() @ second.double()
    assert error(fused_products(x, first, second), exact) < 2e-3


def test_the_activation_is_not_left_out():
    x, first, second = given(16, 32, 128)
    plain = fused_products(x, first, second)
    assert error(fused_products(x, first, second, "gelu_tanh"), plain) > 0.1


def test_sizes_that_the_blocks_do_not_divide_are_refused():
    with pytest.raises(ValueError, match="300 features"):
        fused_products(*given(16, 300, 128))


@pytest.mark.parametrize("size", [(16, 64), (64, 1024), (256, 1024), (512, 2048), (1280, 5120)])
def test_every_cut_covers_its_size_and_fits_half_the_registers(size):
    features, hidden = size
    cut = blocks(features, hidden)
    assert features % cut.columns == 0
    assert features % cut.inner == 0
    assert hidden % cut.tile == 0
    assert 4 * cut.rows * cut.columns <= 128 * 1024
