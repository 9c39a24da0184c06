"""The chain under torch.compile, traced whole."""

import pytest

from tests.kernels.needs import DEVICE, inputs, torch  # isort: skip
from torch._dynamo import compiled_autograd
from torch._subclasses import FakeTensor, FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

from kernels import FusedChain, fused_chain
from kernels.compiled import chain_backward, chain_forward

# torch's own tracing warns of its own habits.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning",
                                        "ignore::UserWarning")  # fmt: skip


def compiled(function):
    torch.compiler.reset()
    return torch.compile(function, fullgraph=True, backend="aot_eager")


@pytest.mark.parametrize("norm", ["layer", "rms"])
@pytest.mark.parametrize("affine", [True, False])
def test_compiled_whole_it_gives_the_same_bits_and_gradients(norm, affine):
    given, dy = inputs(5, 24)
    given = given if affine else (*given[:2], None, None)
    plain = [t if t is None else t.clone().requires_grad_() for t in given]
    traced = [t if t is None else t.clone().requires_grad_() for t in given]

    def function(*leaves):
        return fused_chain(*leaves, norm=norm)

    expected, found = function(*plain), compiled(function)(*traced)
    assert torch.equal(found, expected)
    expected.backward(dy)
    found.backward(dy)
    for one, other in zip(plain, traced, strict=True):
        assert one is None or torch.equal(one.grad, other.grad)


@pytest.mark.parametrize("which", range(4))
def test_compiled_each_argument_alone_may_require_grad(which):
    given, dy = inputs(3, 16)
    leaves = [t.requires_grad_(i == which) for i, t in enumerate(given)]
    (found,) = torch.autograd.grad(compiled(fused_chain)(*leaves), leaves[which], dy)
    (expected,) = torch.autograd.grad(fused_chain(*leaves), leaves[which], dy)
    assert torch.equal(found, expected)


def test_a_compiled_layer_runs_under_no_grad():
    layer = FusedChain(16, device=DEVICE)
    (x, residual, *_), _ = inputs(3, 16)
    with torch.no_grad():
        assert torch.equal(compiled(layer)(x, residual), layer(x, residual))


def test_the_operators_keep_their_promises():
    (x, residual, weight, bias), dy = inputs(3, 16)
    checks = ("test_schema", "test_faketensor")
    torch.library.opcheck(
        chain_forward, (x, residual, weight, bias, "layer", "gelu", 1e-5, True), test_utils=checks
    )
    statistics = torch.stack([x.var(1, correction=0).add(1e-5).rsqrt(), x.mean(1)])
    torch.library.opcheck(
        chain_backward,
        (dy, x, weight, bias, statistics, "layer", "gelu", True, True),
        test_utils=checks,
    )


def test_fake_tensors_are_told_what_would_come():
    with FakeTensorMode():
        given = [torch.empty(*shape, device=DEVICE) for shape in ((3, 16), (3, 16), (16,), (16,))]
        y = fused_chain(given[0].half().requires_grad_(), *given[1:])
        (dx,) = torch.autograd.grad(y.sum(), y.grad_fn.next_functions[0][0].variable)
        assert isinstance(fused_chain(*given), FakeTensor)
    assert (y.shape, y.dtype, dx.dtype) == ((3, 16), torch.float32, torch.float16)


def test_a_trace_sees_the_operator():
    given, _ = inputs(3, 16)
    traced = make_fx(lambda *leaves: fused_chain(*leaves))(*given)
    assert "ridgepoint.chain_forward" in traced.code
    assert torch.equal(traced(*given), fused_chain(*given))


@pytest.mark.parametrize("forward", [fused_chain, compiled(fused_chain)], ids=["eager", "compiled"])
def test_compiled_autograd_gives_the_same_gradients(forward):
    given, dy = inputs(5, 24)
    plain = [t.clone().requires_grad_() for t in given]
    traced = [t.clone().requires_grad_() for t in given]
    fused_chain(*plain).backward(dy)
    with compiled_autograd._enable(lambda graph: torch.compile(graph, backend="aot_eager")):
        forward(*traced).backward(dy)
    for one, other in zip(plain, traced, strict=True):
        assert torch.equal(one.grad, other.grad)
