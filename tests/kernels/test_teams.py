"""A team's kernels in the interpreter, which runs one program after another.

No member waits there: a first start leaves all members' sums in the slots, a second one finds
them. On a GPU (tests/gpu) they wait for each other.
"""

import pytest

from tests.kernels.needs import DEVICE, DTYPES, HALF_UNIT, inputs, torch  # isort: skip
from kernels import launch
from kernels.reference import eager_chain, error, exact_chain, gradients
from kernels.teams import EMPTY
from kernels.tiling import Tiling

pytestmark = [
    pytest.mark.skipif(DEVICE == "cuda", reason="members that wait are tested on the GPU"),
    # NumPy warns where a GPU gives infinity or NaN without a word.
    pytest.mark.filterwarnings("ignore:(overflow|invalid value):RuntimeWarning"),
]
ROWS, WIDTH = 3, 64  # two tiles, the later one with a row that is not there
WHOLE, EVEN, ODD = 192, 168, 131  # features: three members, the last of them whole or not
ACTIVATIONS = ("gelu", "gelu_tanh", "silu", "relu", "identity")


@pytest.fixture(autouse=True)
def kept_slots(monkeypatch):
    """The same slots for every start of a plan, empty the first time."""
    kept = {}

    def slots(plan, rows, device):
        empty = torch.full((rows, plan.blocks), EMPTY, dtype=torch.int64, device=device)
        return kept.setdefault(plan, empty)

    monkeypatch.setattr(launch, "_slots", slots)


TILING = Tiling(WIDTH, 0, 2, 1, 1, stages=1, way="team")


def forward(given, norm: str, activation: str):
    """y by a team of programs."""
    for _ in range(2):
        y, _ = launch.forward(*given, (norm, activation, 1e-5), True, TILING)
    return y


def backward(given, dy, norm: str, activation: str) -> dict[str, torch.Tensor]:
    """{"dx", "dweight", "dbias"} by a team of programs, those of what is there."""
    x, _, weight, bias = given
    _, statistics = launch.forward(*given, (norm, activation, 1e-5), True)
    assert statistics is not None
    for _ in range(2):
        how, need = (norm, activation), (True, True)
        found = launch.backward(dy, x, weight, bias, statistics, how, need, TILING)
    named = dict(zip(("dx", "dweight", "dbias"), found, strict=True))
    return {name: tensor for name, tensor in named.items() if tensor is not None}


def assert_as_good_as_eager(given, dy, norm: str, activation: str) -> None:
    """No gradient's error is over twice PyTorch's own in the same dtypes, plus one rounding."""
    how = {"norm": norm, "activation": activation}
    exact = gradients(exact_chain, given, dy, **how)
    eager = gradients(eager_chain, given, dy, **how)
    for name, found in backward(given, dy, norm, activation).items():
        allowed = 2 * error(eager[name], exact[name]) + 2 * HALF_UNIT[found.dtype]
        assert error(found, exact[name]) <= allowed, name


@pytest.mark.parametrize("norm", ["layer", "rms"])
@pytest.mark.parametrize("features", [WHOLE, ODD])
def test_a_members_mean_and_squares_make_the_rows_with_the_others(norm, features):
    given, _ = inputs(ROWS, features)
    assert error(forward(given, norm, "gelu"), exact_chain(*given, norm=norm)) < 4e-7


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("features", [WHOLE, EVEN, ODD])
def test_a_last_member_of_any_length_counts_its_columns_once(dtype, features):
    given, dy = inputs(ROWS, features, dtype)
    assert_as_good_as_eager(given, dy, "layer", "gelu")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("features", [WHOLE, ODD])
def test_without_a_weight_a_last_members_columns_count_once_too(dtype, features):
    (x, residual, _, _), dy = inputs(ROWS, features, dtype)
    assert_as_good_as_eager((x, residual, None, None), dy, "layer", "identity")


@pytest.mark.parametrize("norm", ["layer", "rms"])
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_every_norm_with_every_activation(norm, activation):
    given, dy = inputs(ROWS, EVEN)
    assert_as_good_as_eager(given, dy, norm, activation)


@pytest.mark.parametrize("dtype", DTYPES)
def test_an_infinite_dy_at_a_closed_relu_stays_out_of_a_long_rows_gradients(dtype):
    (x, residual, weight, bias), dy = inputs(ROWS, WHOLE, dtype)
    bias[3] = -100.0
    dy[0, 3], dy[1, 3] = float("inf"), float("-inf")
    found = backward((x, residual, weight, bias), dy, "layer", "relu")
    assert all(tensor.isfinite().all() for tensor in found.values())
