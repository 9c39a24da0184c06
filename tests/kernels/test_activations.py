"""Each activation against float64, densely: the figures of gelu.py's table."""

import pytest

from tests.kernels.needs import DEVICE, torch  # isort: skip
import torch.nn.functional as F
import triton
import triton.language as tl

from kernels.activations import activate, through
from kernels.intrinsics import INTERPRETED

# NumPy, under the interpreter, warns where a GPU gives infinity or NaN without a word.
pytestmark = pytest.mark.filterwarnings("ignore:(overflow|invalid value):RuntimeWarning")
BITS = {torch.bfloat16: 8, torch.float16: 11, torch.float32: 24}
EXACT = {
    "gelu": lambda z: z * 0.5 * torch.special.erfc(-z / 2**0.5),
    "gelu_tanh": lambda z: z * torch.sigmoid(2 * (2 / torch.pi) ** 0.5 * (z + 0.044715 * z**3)),
    "silu": lambda z: z * torch.sigmoid(z),
    "relu": F.relu,
    "identity": lambda z: z * 1.0,
}


@triton.jit
def _evaluate(
    z_ptr, value_ptr, slope_ptr, count,
    ACTIVATION: tl.constexpr, BITS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    z = tl.load(z_ptr + at, mask=at < count, other=0.0).to(tl.float32)
    value = activate(z, ACTIVATION, BITS)
    slope = through(tl.full(z.shape, 1.0, tl.float32), z, ACTIVATION, BITS)
    tl.store(value_ptr + at, value.to(value_ptr.dtype.element_ty), mask=at < count)
    tl.store(slope_ptr + at, slope.to(slope_ptr.dtype.element_ty), mask=at < count)


def evaluate(z, activation: str, bits: int, dtype=torch.float32):
    """(activation, derivative) at z as the kernels work them out, rounded to `dtype`."""
    value, slope = (torch.empty(z.shape, dtype=dtype, device=DEVICE) for _ in range(2))
    block = 1 << 14
    grid = (-(-z.numel() // block),)
    _evaluate[grid](z, value, slope, z.numel(), ACTIVATION=activation, BITS=bits, BLOCK=block)
    return value, slope


def exact(z, activation: str):
    """The same in float64; z·Φ(z) by erfc, which keeps the tail's digits."""
    z = z.double().requires_grad_()
    value = EXACT[activation](z)
    (slope,) = torch.autograd.grad(value.sum(), z)
    return value.detach(), slope


def grid(dtype=torch.float32, reach: float = 8.0, points: int = 16_001):
    """Points over [−reach, reach] that `dtype` holds."""
    z = torch.linspace(-reach, reach, points, dtype=torch.float64)
    return z.to(dtype).unique().float().to(DEVICE)


def units_apart(found, exact_value):
    """|found − correctly rounded| in units in the last place of the rounded value."""
    rounded = exact_value.to(found.dtype)
    digits = {torch.bfloat16: 7, torch.float16: 10}[found.dtype]
    smallest = torch.finfo(found.dtype).smallest_normal
    _, exponent = torch.frexp(rounded.double().abs().clamp(min=smallest))
    unit = torch.ldexp(torch.ones_like(exact_value), exponent - 1 - digits)
    return ((found.double() - rounded.double()).abs() / unit).max().item()


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_exact_gelu_and_its_derivative_are_within_one_unit_in_the_last_place(dtype):
    z = grid(dtype, points=200_001 if DEVICE == "cuda" else 40_001)
    for found, true in zip(evaluate(z, "gelu", BITS[dtype], dtype), exact(z, "gelu"), strict=True):
        assert units_apart(found, true) <= 1.0


@pytest.mark.parametrize(
    ("bits", "value_bound", "slope_bound"), [(8, 1.4e-3, 1.5e-3), (11, 4.3e-5, 1.5e-4)]
)
def test_the_polynomials_relative_errors_are_those_of_the_table(bits, value_bound, slope_bound):
    z = grid(reach=8.25)
    (value, slope), (true, true_slope) = evaluate(z, "gelu", bits), exact(z, "gelu")
    tail = z < 0
    assert ((value - true) / true)[tail].abs().max() < value_bound
    away = tail & ((z + 0.7517915).abs() > 1e-3)
    assert ((slope - true_slope) / true_slope)[away].abs().max() < slope_bound


def test_float32_gelu_is_within_two_millionths_down_its_tail():
    z = grid(reach=8.0)
    z = z[z != 0]
    # Triton's interpreter rounds twice in an fma, so the carried rounding error is lost there.
    bound = 8e-6 if INTERPRETED else 2e-6
    (value, slope), (true, true_slope) = evaluate(z, "gelu", 24), exact(z, "gelu")
    assert ((value - true) / true).abs().max() < bound
    error = (slope - true_slope).abs()
    assert (error / true_slope.abs().clamp(min=1e-3))[z > -5].max() < bound
    assert (error / true_slope.abs())[z < -1].max() < bound


@pytest.mark.parametrize("activation", ["gelu_tanh", "silu", "relu", "identity"])
def test_the_other_activations_follow_float64(activation):
    z = grid()
    (value, slope), (true, true_slope) = evaluate(z, activation, 24), exact(z, activation)
    assert (value - true).abs().max() < 2e-6
    flat = (z != 0).double()  # relu has no derivative at 0
    assert ((slope - true_slope).abs() * flat).max() < 3e-6


def test_exact_and_tanh_gelu_are_told_apart():
    z = grid()
    (value, _), (true, _) = evaluate(z, "gelu_tanh", 24), exact(z, "gelu")
    assert (value - true).abs().max() > 1e-4


@pytest.mark.parametrize("activation", EXACT)
@pytest.mark.parametrize("bits", [8, 11, 24])
def test_far_arguments_give_neither_nan_nor_leftovers(activation, bits):
    z = torch.tensor([-1e4, -50.0, 50.0, 1e4], device=DEVICE)
    value, slope = evaluate(z, activation, bits)
    true, true_slope = exact(z, activation)
    assert torch.allclose(value.double(), true, rtol=1e-6, atol=1e-12)
    assert torch.allclose(slope.double(), true_slope, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("bits", [8, 11, 24])
def test_minus_zero_is_zero(bits):
    value, slope = evaluate(torch.tensor([-0.0, 0.0], device=DEVICE), "gelu", bits)
    assert value.tolist() == [0.0, 0.0]
    assert slope.tolist() == pytest.approx([0.5, 0.5], rel=2e-3)
    assert slope[0] == slope[1]


@pytest.mark.parametrize("activation", EXACT)
def test_nan_stays_nan(activation):
    value, _ = evaluate(torch.tensor([float("nan"), 1.0], device=DEVICE), activation, 24)
    assert value.isnan().tolist() == [True, False]
