"""The extension's calls on a GPU: the same bits as from Python, wherever it takes them."""

import subprocess
import sys
import threading

import pytest

from tests.kernels.needs import DEVICE, DTYPES, inputs, torch  # isort: skip
from kernels import FusedChain, fused_chain
from kernels.native import build, calls

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(DEVICE != "cuda", reason="needs a CUDA GPU"),
]


@pytest.fixture(scope="module", autouse=True)
def built(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        build.build()
        calls.extension.cache_clear()
        assert calls.extension() is not None
        yield
    calls.extension.cache_clear()


def leaves(given, wanted=(True, True, True, True)):
    return [
        None if t is None else t.detach().requires_grad_(want)
        for t, want in zip(given, wanted, strict=True)
    ]


def run(given, dy, **how):
    """(y, gradients of those that want one)."""
    y = fused_chain(*given, **how)
    wanted = [t for t in given if t is not None and t.requires_grad]
    return (y, *torch.autograd.grad(y, wanted, dy.to(y.dtype)))


def detached(tensors):
    """Without the graph, which would keep a stream's nodes alive."""
    return [tensor.detach() for tensor in tensors]


def is_native(y: torch.Tensor) -> bool:
    return "ridgepoint" in y.grad_fn.name()


def assert_same(given, dy, monkeypatch, **how):
    """The extension, once the kernels are compiled, gives what Python does."""
    with monkeypatch.context() as patch:
        patch.setattr(calls, "extension", lambda: None)
        expected = run(given, dy, **how)
        assert not is_native(expected[0])
    found = run(given, dy, **how)
    assert is_native(found[0])
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype and torch.equal(one, other)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("norm", ["layer", "rms"])
@pytest.mark.parametrize("features", [17, 512, 1280, 8192])
def test_the_bits_are_those_from_python(dtype, norm, features, monkeypatch):
    given, dy = inputs(33, features, dtype)
    assert_same(leaves(given), dy, monkeypatch, norm=norm)


@pytest.mark.parametrize("wanted", [(1, 0, 0, 0), (0, 0, 1, 0), (0, 1, 0, 1), (1, 1, 1, 0)])
def test_any_of_the_arguments_may_want_a_gradient(wanted, monkeypatch):
    given, dy = inputs(8, 768, torch.bfloat16)
    assert_same(leaves(given, map(bool, wanted)), dy, monkeypatch)


@pytest.mark.parametrize("absent", [(2,), (3,), (2, 3)])
def test_weight_or_bias_may_be_absent(absent, monkeypatch):
    given, dy = inputs(8, 768, torch.float16)
    given = [None if at in absent else t for at, t in enumerate(given)]
    assert_same(leaves(given), dy, monkeypatch)


@pytest.mark.parametrize("x_dtype", DTYPES)
@pytest.mark.parametrize("residual_dtype", DTYPES)
def test_dtypes_may_be_mixed(x_dtype, residual_dtype, monkeypatch):
    (x, residual, weight, bias), dy = inputs(8, 512)
    given = (x.to(x_dtype), residual.to(residual_dtype), weight, bias)
    assert_same(leaves(given), dy, monkeypatch)


def test_what_it_does_not_take_goes_the_other_way():
    given, dy = inputs(8, 512, torch.bfloat16)
    whole = leaves(given)
    run(whole, dy)
    strided = torch.empty(8, 1024, dtype=torch.bfloat16, device=DEVICE)[:, :512]
    strided.copy_(given[0])
    expected = run(whole, dy)
    found = run([strided.requires_grad_(), *whole[1:]], dy)
    assert is_native(expected[0]) and not is_native(found[0])
    assert all(torch.equal(a, b) for a, b in zip(found, expected, strict=True))
    long = leaves(inputs(2, 9000)[0])
    for _ in range(2):
        assert not is_native(run(long, torch.ones(2, 9000, device=DEVICE))[0])
    assert not is_native(fused_chain(*leaves(given, (False, True, False, False))))


def test_a_second_derivative_is_refused():
    given, dy = inputs(4, 256)
    given = leaves(given)
    run(given, dy)
    y = fused_chain(*given)
    assert is_native(y)
    (dx,) = torch.autograd.grad(y.square().sum(), given[0], create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        dx.sum().backward()


def test_forward_and_backward_in_a_cuda_graph_and_on_another_stream():
    given, dy = inputs(64, 512, torch.bfloat16)
    expected = detached(run(leaves(given), dy))
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        aside = detached(run(leaves(given), dy))
    stream.synchronize()
    again, graph = leaves(given), torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        y = fused_chain(*again)
        assert is_native(y)
        captured = (y, *torch.autograd.grad(y, again, dy))
    with torch.no_grad():
        for tensor in captured:
            if tensor.data_ptr() != dy.data_ptr():  # dresidual is dy
                tensor.fill_(float("nan"))
        again[0].add_(0.5)
    graph.replay()
    moved = detached(run(leaves([again[0], *given[1:]]), dy))
    for before, beside, replayed, now in zip(expected, aside, captured, moved, strict=True):
        assert torch.equal(before, beside)
        assert torch.equal(replayed, now)


def test_lengths_without_end_keep_few_calls(monkeypatch):
    monkeypatch.setattr(calls, "_KEPT", 8)
    for rows in range(1, 40):
        given, dy = inputs(rows, 256)
        run(leaves(given), dy)
        assert is_native(run(leaves(given), dy)[0])
        assert len(calls._calls) <= 8


def in_thread(work) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def test_a_fresh_thread_makes_the_calls_that_another_has_warmed():
    given, dy = inputs(64, 512, torch.bfloat16)
    expected, found = detached(run(leaves(given), dy)), []

    def work() -> None:
        made = run(leaves(given), dy)
        found.extend((is_native(made[0]), *detached(made)))

    in_thread(work)
    assert found[0]
    assert all(torch.equal(a, b) for a, b in zip(found[1:], expected, strict=True))


def test_threads_at_once_keep_to_their_own_tensors():
    cases = [inputs(64, 512, torch.bfloat16, seed=10 * seed) for seed in range(4)]
    expected = [detached(run(leaves(given), dy)) for given, dy in cases]
    equal = []

    def work(at: int) -> None:
        given, dy = cases[at]
        with torch.cuda.stream(torch.cuda.Stream()):
            for _ in range(20):
                found = detached(run(leaves(given), dy))
                pairs = zip(found, expected[at], strict=True)
                equal.append(all(torch.equal(a, b) for a, b in pairs))

    torch.cuda.synchronize()
    threads = [threading.Thread(target=work, args=(at,)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert equal == [True] * 80


@pytest.mark.parametrize("lie", ["expanded", "transposed"])
def test_a_gradient_may_lie_otherwise(lie, monkeypatch):
    given, dy = inputs(8, 768, torch.bfloat16)
    dy = dy[:1, :1].expand(8, 768) if lie == "expanded" else dy.T.contiguous().T
    assert_same(leaves(given), dy, monkeypatch)


def test_what_is_saved_may_wait_on_the_host(monkeypatch):
    given, dy = inputs(8, 768, torch.bfloat16)
    with torch.autograd.graph.save_on_cpu():
        assert_same(leaves(given), dy, monkeypatch)


# torch's own tracing warns of its own habits.
@pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"
)
def test_compiled_autograd_gives_the_same_bits_on_the_stream_that_is_current():
    from torch._dynamo import compiled_autograd

    given, dy = inputs(64, 512, torch.bfloat16)
    aside = torch.cuda.Stream()
    for scale in (1, 2, 4):  # at first the graph is compiled, for longer than the GPU sleeps
        scaled = dy * scale
        expected = detached(run(leaves(given), scaled * 2)[1:])
        again = leaves(given)
        y = fused_chain(*again)
        assert is_native(y)
        torch.cuda.synchronize()
        with (
            torch.cuda.stream(aside),
            compiled_autograd._enable(lambda graph: torch.compile(graph, backend="eager")),
        ):
            torch.cuda._sleep(200_000_000)  # what is started on another stream comes too early
            (y * 2).backward(scaled)
        torch.cuda.synchronize()
        assert all(torch.equal(t.grad, e) for t, e in zip(again, expected, strict=True))


def test_torch_func_s_transforms_are_refused():
    given, _ = inputs(8, 512, torch.bfloat16)
    run(leaves(given, (True, False, False, False)), torch.ones_like(given[0]))
    with pytest.raises(RuntimeError, match="functorch transforms"):
        torch.func.grad(lambda x: fused_chain(x, *given[1:]).sum())(given[0])


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="needs two GPUs")
def test_another_device_than_the_current_takes_the_backward():
    given, dy = inputs(8, 512, torch.bfloat16)
    given, dy = [t.to("cuda:1") for t in given], dy.to("cuda:1")
    for _ in range(2):
        assert not is_native(run(leaves(given), dy)[0])
    again = leaves(given)
    with torch.cuda.device(1):
        expected = run(leaves(given), dy)
        y = fused_chain(*again)
    assert is_native(y)
    found = (y, *torch.autograd.grad(y, again, dy))
    assert all(torch.equal(a, b) for a, b in zip(found, expected, strict=True))


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="needs two GPUs")
def test_threads_as_data_parallel_has_them_each_use_their_own_device():
    (x, residual, *_), _ = inputs(8, 512, torch.bfloat16)
    layers, given, expected = [], [], []
    for at in range(2):
        device = torch.device("cuda", at)
        layers.append(FusedChain(512, device=device, dtype=torch.bfloat16))
        given.append((x.to(device), residual.to(device)))
        with torch.cuda.device(device):
            y = layers[at](*given[at])
            y.sum().backward()
        expected.append(y.detach())
    torch.cuda.synchronize(0), torch.cuda.synchronize(1)
    found = torch.nn.parallel.parallel_apply(layers, given)
    assert all(map(is_native, found))
    assert all(torch.equal(a, b) for a, b in zip(found, expected, strict=True))


FORKED = """
import os, torch
from kernels import fused_chain
given = [torch.randn(*shape, device="cuda", requires_grad=True)
         for shape in ((8, 512), (8, 512), (512,), (512,))]
for _ in range(2):
    y = fused_chain(*given)
    y.sum().backward()
assert "ridgepoint" in y.grad_fn.name(), y.grad_fn.name()
torch.cuda.synchronize()
child = os.fork()
if not child:
    try:
        fused_chain(*given)
    except RuntimeError:
        os._exit(0)
    os._exit(1)
assert os.waitpid(child, 0)[1] == 0, "a fork of a process with a GPU started a kernel"
assert torch.equal(fused_chain(*given), y)
"""


def test_a_fork_of_a_process_with_a_gpu_is_refused_and_its_parent_goes_on():
    done = subprocess.run(
        [sys.executable, "-c", FORKED], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
