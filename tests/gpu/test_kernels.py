"""What only a GPU can show of the kernels."""

import gc
from functools import partial

import pytest

from tests.kernels.needs import DEVICE, DTYPES, HALF_UNIT, inputs, normal, torch  # isort: skip
from kernels import devices, fused_chain, plans, prepared, separate_chain
from kernels.backward_tiling import backward_tiling
from kernels.forward_tiling import forward_tiling
from kernels.reference import eager_chain, error, exact_chain, gradients
from kernels.start import Plan

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(DEVICE != "cuda", reason="needs a CUDA GPU"),
]
REAL = (512, 768, 1024, 1280, 1536, 4096, 5000, 8192, 16_384, 32_768)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("features", REAL)
def test_at_most_twice_eager_s_error_at_real_sizes(dtype, features):
    given, dy = inputs(515, features, dtype)
    exact, eager = (gradients(chain, given, dy) for chain in (exact_chain, eager_chain))
    for chain in (fused_chain, separate_chain):
        for name, found in gradients(chain, given, dy).items():
            allowed = 2 * error(eager[name], exact[name]) + HALF_UNIT[dtype] / 4
            assert error(found, exact[name]) <= allowed, (chain.__name__, name)


@pytest.mark.parametrize("norm", ["layer", "rms"])
@pytest.mark.parametrize("features", [8193, 20_000, 20_001, 65_536, 131_072, 140_000])
def test_rows_past_what_a_program_holds(features, norm):
    for rows in (1, 2, 5):
        given, dy = inputs(rows, features)
        exact = gradients(partial(exact_chain, norm=norm), given, dy)
        for name, value in gradients(partial(fused_chain, norm=norm), given, dy).items():
            assert error(value, exact[name]) < 2e-6, (rows, name)


@pytest.mark.parametrize("features", [20_000, 20_001])
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_last_member_with_few_columns_adds_nothing_of_what_it_reads_beyond_them(dtype, features):
    (x, residual, *_), dy = inputs(7, features, dtype)
    given = (x, residual, None, None)
    exact, eager = (gradients(chain, given, dy) for chain in (exact_chain, eager_chain))
    for name, found in gradients(fused_chain, given, dy).items():
        allowed = 2 * error(eager[name], exact[name]) + HALF_UNIT[dtype] / 4
        assert error(found, exact[name]) <= allowed, name


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_large_mean_leaves_the_digits_of_a_team_s_rows(dtype):
    x, *rest = inputs(33, 20_000, dtype)[0]
    x = x + 2000
    exact, eager = (chain(x, *rest) for chain in (exact_chain, eager_chain))
    found = fused_chain(x, *rest)
    assert error(found, exact) <= 2 * error(eager, exact) + HALF_UNIT[dtype] / 4


def test_what_is_not_a_number_spoils_its_own_row_of_a_team_only():
    given, dy = inputs(9, 20_000, torch.bfloat16)
    x, residual, *vectors = given
    clean = fused_chain(*given)
    x = x.clone()
    x[2, 19_999], x[5, 0], x[7, 12_345] = float("nan"), float("inf"), float("-inf")
    leaves = [t.detach().requires_grad_() for t in (x, residual, *vectors)]
    y = fused_chain(*leaves)
    dx = torch.autograd.grad(y, leaves[:1], dy)[0]
    for row in range(9):
        if row in (2, 5, 7):
            assert y[row].isnan().all() and dx[row].isnan().all()
        else:
            assert torch.equal(y[row], clean[row]) and dx[row].isfinite().all()


def test_teams_on_many_streams_don_t_wait_for_each_other_for_ever():
    given, dy = inputs(600, 20_000, torch.bfloat16)
    expected = gradients(fused_chain, given, dy)
    torch.cuda.synchronize()
    streams = [torch.cuda.Stream() for _ in range(4)]
    found = []
    for _ in range(10):
        for stream in streams:
            with torch.cuda.stream(stream):
                found.append(gradients(fused_chain, given, dy))
    torch.cuda.synchronize()
    for one in found:
        assert all(torch.equal(one[name], value) for name, value in expected.items())


def forget_plans():
    for cached in (plans.forward, plans.backward, prepared.forward, prepared.backward):
        cached.cache_clear()


def test_where_no_team_fits_its_rows_are_read_twice(monkeypatch, request):
    given, dy = inputs(7, 20_000)
    exact = gradients(exact_chain, given, dy)
    room = (132, 40_000)
    assert backward_tiling(20_000, 4, room).way == forward_tiling(20_000, 4, room).way == "looped"
    request.addfinalizer(forget_plans)
    forget_plans()
    monkeypatch.setattr(devices, "room", lambda _device: room)
    found = gradients(fused_chain, given, dy)
    for name, value in found.items():
        assert error(value, exact[name]) < 2e-6, name


@pytest.mark.parametrize("dtype", DTYPES)
def test_weight_gradients_over_32768_rows(dtype):
    given, dy = inputs(32_768, 512, dtype)
    for dy_now in (dy, torch.ones_like(dy)):
        exact, eager = (gradients(chain, given, dy_now) for chain in (exact_chain, eager_chain))
        found = gradients(fused_chain, given, dy_now)
        for name in ("dweight", "dbias"):
            allowed = 2 * error(eager[name], exact[name]) + HALF_UNIT[dtype] / 4
            assert error(found[name], exact[name]) <= allowed, name


@pytest.mark.parametrize(("rows", "features"), [(4000, 768), (400, 20_000)])
def test_the_same_bits_in_a_hundred_backward_passes(rows, features):
    given, dy = inputs(rows, features, torch.bfloat16)
    leaves = [t.requires_grad_() for t in given]
    y = fused_chain(*leaves)
    first = torch.autograd.grad(y, leaves, dy, retain_graph=True)
    for _ in range(99):
        again = torch.autograd.grad(y, leaves, dy, retain_graph=True)
        assert all(torch.equal(a, b) for a, b in zip(first, again, strict=True))


def kernels_compiled() -> int:
    """How many kernels all plans together hold."""
    return sum(len(thing.compiled) for thing in gc.get_objects() if type(thing) is Plan)


def test_few_compilations_over_many_row_counts():
    given, dy = inputs(1001, 640, torch.bfloat16)
    before = kernels_compiled()
    for rows in (1, 2, 16, 17, 1000, 1001):
        gradients(fused_chain, (given[0][:rows], given[1][:rows], *given[2:]), dy[:rows])
    # forward, backward and the sum of partials, each for one or two alignments of its row stride
    assert 3 <= kernels_compiled() - before <= 3 * 3


def test_more_than_two_to_the_31_elements():
    rows, features = 2**31 // 512 + 9, 512
    x = torch.randn(rows, features, device=DEVICE, dtype=torch.bfloat16)
    residual = torch.zeros_like(x)
    tail = slice(-16, None)
    y = fused_chain(x, residual)
    assert torch.equal(y[tail], fused_chain(x[tail], residual[tail]))
    del y
    torch.cuda.empty_cache()
    leaf = x.requires_grad_()
    (dx,) = torch.autograd.grad(fused_chain(leaf, residual), leaf, residual.fill_(1.0))
    short = x[tail].detach().requires_grad_()
    (expected,) = torch.autograd.grad(fused_chain(short, residual[tail]), short, residual[tail])
    assert torch.equal(dx[tail], expected)


def test_more_than_two_to_the_31_elements_between_rows():
    wide = torch.empty(5, 2**29 + 64, device=DEVICE, dtype=torch.bfloat16)
    x = wide[:, :256]
    x.copy_(normal(5, 256))
    residual = normal(5, 256, seed=1, dtype=torch.bfloat16)
    assert torch.equal(fused_chain(x, residual), fused_chain(x.contiguous(), residual))


@pytest.mark.parametrize("features", [896, 9000])
def test_a_cuda_graph_from_the_first_call_on(features):
    given, _ = inputs(333, features, torch.float16)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = fused_chain(*given)
    given[0].mul_(0.5)
    graph.replay()
    assert torch.equal(y, fused_chain(*given))


@pytest.mark.parametrize("features", [384, 9001])
def test_forward_and_backward_in_a_cuda_graph(features):
    given, dy = inputs(333, features)
    leaves = [t.requires_grad_() for t in given]
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        found = torch.autograd.grad(fused_chain(*leaves), leaves, dy)
    for _ in range(3):
        graph.replay()
    torch.cuda.synchronize()
    expected = torch.autograd.grad(fused_chain(*leaves), leaves, dy)
    assert all(torch.equal(a, b) for a, b in zip(found, expected, strict=True))


def test_a_side_stream_is_used():
    given, _ = inputs(4096, 1024)
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        torch.cuda._sleep(20_000_000)
        given[0].fill_(3.0)
        y = fused_chain(*given)
    torch.cuda.current_stream().wait_stream(side)
    assert torch.equal(y, fused_chain(*given))


@pytest.mark.skipif(DEVICE != "cuda" or torch.cuda.device_count() < 2, reason="needs two GPUs")
def test_a_gpu_that_is_not_the_current_one():
    given, dy = inputs(9, 256)
    there = [t.to("cuda:1") for t in given]
    found = gradients(fused_chain, there, dy.to("cuda:1"))
    expected = gradients(fused_chain, given, dy)
    assert torch.cuda.current_device() == 0
    assert all(torch.equal(found[name].to("cuda:0"), expected[name]) for name in found)


@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")
def test_inductor_takes_it_whole():
    given, dy = inputs(130, 512, torch.bfloat16)
    leaves = [t.requires_grad_() for t in given]
    traced = torch.compile(lambda *t: fused_chain(*t) * 2, fullgraph=True)
    found = torch.autograd.grad(traced(*leaves), leaves, dy)
    expected = torch.autograd.grad(fused_chain(*leaves) * 2, leaves, dy)
    assert all(error(a, b) < 1e-2 for a, b in zip(found, expected, strict=True))


def test_zero_rows_leave_the_device_usable():
    given, dy = inputs(0, 64)
    gradients(fused_chain, given, dy)
    assert torch.ones(3, device=DEVICE).sum().item() == 3.0
