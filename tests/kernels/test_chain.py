"""The chain, fused and separate, against float64, and everything a caller may do with it."""

import pytest

from tests.kernels.needs import DEVICE, DTYPES, HALF_UNIT, inputs, normal, torch  # isort: skip
from kernels import fused_chain, launch, separate_chain
from kernels.reference import eager_chain, error, exact_chain, gradients

# NumPy, under the interpreter, warns where a GPU gives infinity or NaN without a word.
pytestmark = pytest.mark.filterwarnings("ignore:(overflow|invalid value):RuntimeWarning")
CHAINS = pytest.mark.parametrize("chain", [fused_chain, separate_chain])
NORMS = ("layer", "rms")
ACTIVATIONS = ("gelu", "gelu_tanh", "silu", "relu", "identity")


def assert_as_good_as_eager(chain, given, dy, **how):
    """No output's error is over twice PyTorch's own in the same dtypes, plus one rounding."""
    exact = gradients(exact_chain, given, dy, **how)
    eager = gradients(eager_chain, given, dy, **how)
    for name, found in gradients(chain, given, dy, **how).items():
        assert found.dtype == eager[name].dtype
        allowed = 2 * error(eager[name], exact[name]) + 2 * HALF_UNIT[found.dtype]
        assert error(found, exact[name]) <= allowed, name


@CHAINS
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_every_norm_with_every_activation(chain, norm, activation):
    given, dy = inputs(6, 40)
    assert_as_good_as_eager(chain, given, dy, norm=norm, activation=activation)


@CHAINS
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("features", [1, 2, 17, 255, 256, 300, 769])
def test_any_number_of_features(chain, dtype, features):
    given, dy = inputs(3, features, dtype)
    assert_as_good_as_eager(chain, given, dy)


@pytest.mark.parametrize("rows", [1, 2, 5, 33])
def test_any_number_of_rows(rows):
    given, dy = inputs(rows, 24)
    assert_as_good_as_eager(fused_chain, given, dy)


@CHAINS
def test_zero_rows_give_empty_results_and_zero_gradients(chain):
    (x, residual, weight, bias), dy = inputs(0, 8)
    found = gradients(chain, (x, residual, weight, bias), dy)
    assert found["y"].shape == found["dx"].shape == (0, 8)
    assert found["dweight"].tolist() == found["dbias"].tolist() == [0.0] * 8


@pytest.mark.parametrize("shape", [(16,), (2, 16), (2, 3, 16), (2, 1, 3, 16)])
def test_any_leading_dimensions(shape):
    x, residual = normal(*shape), normal(*shape, seed=1)
    y = fused_chain(x, residual)
    assert y.shape == x.shape
    assert error(y, exact_chain(x, residual)) < 2e-7


@CHAINS
@pytest.mark.parametrize("features", [17, 769])
def test_a_large_mean_leaks_into_nothing(chain, features):
    """Padded lanes or E[x²] − E[x]² would show here."""
    (_, residual, weight, bias), dy = inputs(3, features)
    given = (normal(3, features) + 2000.0, residual, weight, bias)
    assert_as_good_as_eager(chain, given, dy)


def test_values_near_the_end_of_float16_keep_their_statistics():
    (_, residual, weight, bias), dy = inputs(3, 64, torch.float16)
    x = (normal(3, 64) * 2e4).clamp(-6e4, 6e4).to(torch.float16)
    assert_as_good_as_eager(fused_chain, (x, residual, weight, bias), dy)


def test_heavy_tails_and_constant_rows():
    (x, residual, weight, bias), dy = inputs(6, 96)
    x = torch.tan((normal(6, 96) * 0.7).clamp(-1.57, 1.57))  # close to Cauchy
    x[3:] = 7.25
    assert_as_good_as_eager(fused_chain, (x, residual, weight, bias), dy)


@pytest.mark.parametrize("features", [2560, 4096])
def test_the_statistics_of_rows_that_several_warps_share_lose_nothing(features):
    """There they are merged from those of eight or sixteen values at a time."""
    x = normal(6, features)
    x[1] = x[1] * 30 + 2000
    x[2, 100] = 1e4
    x[3] = 7.25
    x[4] = torch.tan((x[4] * 0.7).clamp(-1.57, 1.57))
    x[5, : features // 2] -= 50
    x = x.bfloat16()
    _, (rstd, mean) = launch.forward(x, None, None, None, ("layer", "gelu", 1e-5), save=True)
    variance, true_mean = torch.var_mean(x.double(), 1, correction=0)
    assert torch.allclose(rstd.double(), (variance + 1e-5).rsqrt(), rtol=1e-6, atol=0)
    assert ((mean.double() - true_mean).abs() <= 1e-6 * x.double().abs().mean(1)).all()


@CHAINS
@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize("activation", ["gelu", "relu"])
def test_a_bad_value_spoils_its_row_and_no_other(chain, bad, activation):
    (x, residual, weight, bias), dy = inputs(9, 20)
    spoiled = x.clone()
    spoiled[4, 7] = bad
    clean = gradients(chain, (x, residual, weight, bias), dy, activation=activation)
    found = gradients(chain, (spoiled, residual, weight, bias), dy, activation=activation)
    others = [row for row in range(9) if row != 4]
    for name in ("y", "dx"):
        assert torch.equal(found[name][others], clean[name][others])
    assert not found["y"][4].isfinite().all()


@pytest.mark.parametrize("which", range(4))
def test_each_argument_alone_may_require_grad(which):
    given, dy = inputs(5, 24)
    leaves = [t.clone().requires_grad_(i == which) for i, t in enumerate(given)]
    y = fused_chain(*leaves)
    (found,) = torch.autograd.grad(y, leaves[which], dy)
    name = ("dx", "dresidual", "dweight", "dbias")[which]
    assert error(found, gradients(exact_chain, given, dy)[name]) < 1e-6


@CHAINS
@pytest.mark.parametrize(("weight", "bias"), [(False, False), (True, False), (False, True)])
@pytest.mark.parametrize("norm", NORMS)
def test_weight_or_bias_may_be_absent(chain, weight, bias, norm):
    (x, residual, w, b), dy = inputs(5, 24)
    given = (x, residual, w if weight else None, b if bias else None)
    assert_as_good_as_eager(chain, given, dy, norm=norm)


@CHAINS
def test_the_result_requires_grad_exactly_when_an_input_does(chain):
    given, _ = inputs(2, 8)
    assert not chain(*given).requires_grad
    given[1].requires_grad_()
    assert chain(*given).requires_grad
    with torch.no_grad():
        assert not chain(*given).requires_grad


def test_a_call_that_needs_no_gradient_keeps_nothing():
    (x, residual, weight, bias), _ = inputs(2, 8)
    y = fused_chain(x, residual.requires_grad_(), weight, bias)
    assert y.grad_fn.saved_tensors == ()


def test_the_backward_can_be_run_twice_and_gives_the_same():
    given, dy = inputs(7, 24)
    leaves = [t.requires_grad_() for t in given]
    y = fused_chain(*leaves)
    first = torch.autograd.grad(y, leaves, dy, retain_graph=True)
    kept = dy.clone()
    second = torch.autograd.grad(y, leaves, dy)
    assert all(torch.equal(a, b) for a, b in zip(first, second, strict=True))
    assert torch.equal(dy, kept)


def test_the_gradient_of_the_residual_survives_that_of_x():
    """dresidual shares dy's memory, so dx must have memory of its own."""
    given, dy = inputs(4, 16)
    found = gradients(fused_chain, given, dy)
    assert torch.equal(found["dresidual"], dy)
    assert found["dx"].data_ptr() != found["dresidual"].data_ptr()


@CHAINS
def test_a_second_derivative_is_refused(chain):
    given, _ = inputs(2, 8)
    x = given[0].requires_grad_()
    (dx,) = torch.autograd.grad(chain(*given).square().sum(), x, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        dx.sum().backward()


@pytest.mark.parametrize("chain", [fused_chain, separate_chain])
@pytest.mark.parametrize("x_dtype", DTYPES)
@pytest.mark.parametrize("residual_dtype", DTYPES)
def test_dtypes_may_be_mixed(chain, x_dtype, residual_dtype):
    (x, residual, weight, bias), dy = inputs(4, 24)
    given = (x.to(x_dtype), residual.to(residual_dtype), weight, bias)
    promoted = torch.promote_types(x_dtype, residual_dtype)
    found = gradients(chain, given, dy)
    exact = gradients(exact_chain, given, dy.to(promoted))
    assert found["y"].dtype == promoted
    assert [found[n].dtype for n in ("dx", "dresidual", "dweight")] == [
        x_dtype, residual_dtype, torch.float32,
    ]  # fmt: skip
    coarsest = max(HALF_UNIT[x_dtype], HALF_UNIT[residual_dtype])
    for name, value in found.items():
        assert error(value, exact[name]) < 4 * coarsest


def test_autocast_changes_neither_dtype_nor_value():
    given, _ = inputs(4, 24, torch.bfloat16)
    plain = fused_chain(*given)
    with torch.autocast(DEVICE, dtype=torch.bfloat16):
        assert torch.equal(fused_chain(*given), plain)


def test_weight_gradients_over_many_rows_stay_exact():
    rows = 32_768 if DEVICE == "cuda" else 300
    given, dy = inputs(rows, 32)
    assert_as_good_as_eager(fused_chain, given, dy)


@pytest.mark.parametrize(
    ("change", "kind", "words"),
    [
        ({"x": "text"}, TypeError, "x must be a torch.Tensor"),
        ({"x": torch.zeros(2, 8, dtype=torch.float64)}, TypeError, "x must be float32"),
        ({"x": torch.zeros(2, 0)}, ValueError, "features ≥ 1"),
        ({"x": torch.tensor(1.0)}, ValueError, "features ≥ 1"),
        ({"residual": torch.zeros(3, 8)}, ValueError, "residual must have shape"),
        ({"residual": None}, TypeError, "residual must be a torch.Tensor"),
        ({"residual": torch.zeros(2, 8, device="meta")}, ValueError, "residual is on meta"),
        ({"weight": torch.zeros(2, 8)}, ValueError, "weight must have shape"),
        ({"bias": torch.zeros(7)}, ValueError, "bias must have shape"),
        ({"bias": torch.zeros(8, dtype=torch.int64)}, TypeError, "bias must be float32"),
        ({"norm": "batch"}, ValueError, "norm must be one of"),
        ({"activation": "tanh"}, ValueError, "activation must be one of"),
        ({"eps": -1.0}, ValueError, "eps must be"),
        ({"eps": float("nan")}, ValueError, "eps must be"),
    ],
)
@CHAINS
def test_what_cannot_be_run_is_refused_by_name(chain, change, kind, words):
    moved = {k: v.to(DEVICE) if isinstance(v, torch.Tensor) and not v.is_meta else v
             for k, v in change.items()}  # fmt: skip
    given = {"x": normal(2, 8), "residual": normal(2, 8), "weight": None, "bias": None} | moved
    with pytest.raises(kind, match=words):
        chain(**given)


def test_a_cpu_tensor_outside_the_interpreter_is_refused(monkeypatch):
    monkeypatch.setattr("kernels.arguments.INTERPRETED", False)
    with pytest.raises(ValueError, match="TRITON_INTERPRET"):
        fused_chain(torch.zeros(2, 8), torch.zeros(2, 8))
