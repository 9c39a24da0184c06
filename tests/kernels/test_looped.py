"""The kernels for long rows, tried on short ones by asking for them."""

import pytest

from tests.kernels.needs import HALF_UNIT, inputs, torch  # isort: skip
from kernels import launch
from kernels.reference import error, exact_chain, gradients
from kernels.tiling import INF, Tiling


def looped(rows: int, width: int, programs: int = 1) -> Tiling:
    return Tiling(width, 0, rows, 4, programs=programs, way="looped")


def both_ways(given, dy, norm, forward: Tiling, backward: Tiling):
    """{"y", "dx", "dweight", "dbias"} by the launches of these tilings."""
    x, residual, weight, bias = given
    y, statistics = launch.forward(x, residual, weight, bias, (norm, "gelu", 1e-5), True, forward)
    found = launch.backward(dy, x, weight, bias, statistics, (norm, "gelu"), (True, True), backward)
    return dict(zip(("y", "dx", "dweight", "dbias"), (y, *found), strict=True))


@pytest.mark.parametrize("norm", ["layer", "rms"])
@pytest.mark.parametrize(("features", "width"), [(1, 16), (64, 16), (70, 32), (16, 16)])
@pytest.mark.parametrize("rows", [1, 5])
def test_pieces_of_any_size_add_up(norm, features, width, rows):
    given, dy = inputs(rows, features)
    exact = gradients(exact_chain, given, dy, norm=norm)
    found = both_ways(given, dy, norm, looped(1, width, INF), looped(2, width))
    for name, value in found.items():
        # With one feature dx and dweight are differences that cancel: measured against dy then.
        scale = torch.linalg.vector_norm(exact[name] if features > 1 else dy.double())
        difference = torch.linalg.vector_norm(value.double() - exact[name])
        assert difference < 40 * HALF_UNIT[torch.float32] * scale, name


def test_a_large_mean_is_merged_without_loss():
    given, dy = inputs(2, 200)
    given = (given[0] + 2000.0, *given[1:])
    y = both_ways(given, dy, "layer", looped(1, 32, INF), looped(1, 32))["y"]
    assert error(y, exact_chain(*given)) < 1e-4
