"""The extension's step keeps autograd's promises."""

import gc
import sys
import threading
import weakref

import pytest

from tests.kernels.needs import torch  # isort: skip
from torch._dynamo import compiled_autograd
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import checkpoint

from tests.kernels.native.given import BACKWARD, FEATURES, ROWS, call, tensors


def offset_by_one(tensor: torch.Tensor) -> torch.Tensor:
    """The same values, a number away from where they would be aligned."""
    return torch.cat((tensor.new_zeros(1), tensor.flatten()))[1:].view(tensor.shape)


def started(extension, **wanted: bool):
    """(the arguments by name, y)"""
    given = tensors(**wanted)
    return given, extension.chain(*given.values(), call(extension))


@pytest.mark.parametrize(
    "dy",
    [
        torch.ones(FEATURES, ROWS).T,
        torch.ones(()).expand(ROWS, FEATURES),
        torch.ones(ROWS, FEATURES, dtype=torch.float64),
        offset_by_one(torch.ones(ROWS, FEATURES)),
    ],
    ids=["transposed", "expanded", "another dtype", "misaligned"],
)
def test_a_gradient_that_lies_otherwise_is_copied(extension, driver, dy):
    given, y = started(extension)
    found = torch.autograd.grad(y, list(given.values()), dy)
    assert driver.launch(1)["given"][0] not in (0, dy.data_ptr())
    assert driver.launch(1)["given"][0] % 16 == 0
    assert [t.dtype for t in found] == [torch.float32] * 4
    assert torch.equal(found[1], torch.ones(ROWS, FEATURES))


def test_a_caller_s_gradient_stays_the_caller_s(extension, driver):
    given, y = started(extension)
    dy = torch.ones(ROWS, FEATURES)
    y.backward(dy, retain_graph=True)
    assert given["residual"].grad.data_ptr() != dy.data_ptr()
    x = given["x"]  # and its own residual, whose two gradients are added
    own = extension.chain(x, x, given["weight"], given["bias"], call(extension))
    own.backward(dy)
    assert torch.equal(dy, torch.ones(ROWS, FEATURES))


def test_many_gradients_at_once_are_refused(extension, driver):
    given, y = started(extension)
    with pytest.raises(RuntimeError, match="data pointer"):
        torch.autograd.grad(y, given["x"], torch.ones(3, ROWS, FEATURES), is_grads_batched=True)
    assert driver.functions() == [101]


def test_a_gradient_of_some_inputs_alone_is_theirs(extension, driver):
    given, y = started(extension)
    (dbias,) = torch.autograd.grad(y.sum(), given["bias"])
    assert dbias.data_ptr() == driver.launch(2)["given"][2]
    assert all(t.grad is None for t in given.values())


@pytest.mark.parametrize(
    "unpack",
    [lambda t: t.T.contiguous().T if t.dim() == 2 else t, offset_by_one],
    ids=["transposed", "misaligned"],
)
def test_what_a_hook_hands_back_of_the_saved_is_copied_where_it_lies_otherwise(
    extension, driver, unpack
):
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, unpack):
        given, y = started(extension)
        dx, *_ = torch.autograd.grad(y.sum(), list(given.values()))
    assert all(address % 16 == 0 for address in driver.launch(1)["given"][:7])
    assert driver.launch(1)["given"][1] not in (0, given["x"].data_ptr())
    assert dx.is_contiguous()


@pytest.mark.parametrize(
    "unpack",
    [lambda t: t.double(), lambda t: t[:1], lambda t: t.to("meta")],
    ids=["dtype", "shape", "device"],
)
def test_what_a_hook_hands_back_of_the_saved_is_refused_where_it_is_another(
    extension, driver, unpack
):
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, unpack):
        _, y = started(extension)
        with pytest.raises(RuntimeError, match="another shape, dtype or device"):
            y.sum().backward()
    assert driver.count.value == 1


@pytest.mark.parametrize("name", ["x", "weight", "bias"])
def test_a_saved_input_changed_in_between_is_noticed(extension, driver, name):
    given, y = started(extension)
    with torch.no_grad():
        given[name].add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_what_is_not_saved_may_change(extension, driver):
    given, y = started(extension)
    with torch.no_grad():
        given["residual"].add_(1)
    y.add_(1)
    y.sum().backward()
    assert driver.functions() == [101, 102, 103]


def test_a_second_derivative_is_refused(extension, driver):
    given, y = started(extension)
    (dx,) = torch.autograd.grad(y.sum(), given["x"], create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        dx.sum().backward()


def test_a_second_backward_without_retaining_is_refused(extension, driver):
    _, y = started(extension)
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    with pytest.raises(RuntimeError, match="second time"):
        y.sum().backward()


def test_a_checkpoint_starts_the_forward_again(extension, driver):
    given, held = tensors(), call(extension)

    def checkpointed(*arguments):
        return extension.chain(*arguments, held)

    y = checkpoint(checkpointed, *given.values(), use_reentrant=False)
    y.sum().backward()
    assert driver.functions() == [101, 101, 102, 103]
    assert all(t.grad is not None for t in given.values())


def test_without_grad_mode_there_is_no_graph(extension, driver):
    with torch.no_grad():
        _, y = started(extension)
    assert y.grad_fn is None and not y.requires_grad


def test_anomaly_mode_says_which_forward_a_fault_came_from(extension, driver):
    with torch.autograd.set_detect_anomaly(True, check_nan=False):
        _, y = started(extension)
        driver.result.value = 3
        with (
            pytest.warns(UserWarning, match=r"(?s)ridgepoint::Chain.*in started"),
            pytest.raises(RuntimeError, match="CUDA error 3"),
        ):
            y.sum().backward()


@pytest.mark.parametrize(
    "compiler",
    [lambda graph: graph, lambda graph: torch.compile(graph, backend="eager", fullgraph=True)],
    ids=["traced", "compiled"],
)
def test_compiled_autograd_starts_each_call_s_own_kernels(extension, driver, compiler):
    with compiled_autograd._enable(compiler):
        for function in (102, 202):
            given = tensors()
            kernels = (function, *BACKWARD[1:])
            y = extension.chain(*given.values(), call(extension, backward=kernels))
            (y * 2).sum().backward()
            assert driver.launch(driver.count.value - 2)["given"][1] == given["x"].data_ptr()
            assert torch.equal(given["residual"].grad, torch.full((ROWS, FEATURES), 2.0))
    assert driver.functions() == [101, 102, 103, 101, 202, 103]


def test_compiled_autograd_takes_absent_tensors_and_other_dtypes(extension, driver):
    given = tensors(torch.bfloat16)
    given["weight"] = None
    with compiled_autograd._enable(lambda graph: graph):
        wide = call(extension, dtype=torch.bfloat16, y=torch.float32)
        extension.chain(*given.values(), wide).sum().backward()
    found = [t.grad.dtype for t in given.values() if t is not None]
    assert found == [torch.bfloat16] * 3


def test_torch_func_s_transforms_are_refused(extension, driver):
    given = [t.detach() for t in tensors().values()]

    def total(x):
        return extension.chain(x, *given[1:], call(extension)).sum()

    for transformed in (torch.func.grad(total), lambda x: torch.func.vmap(total)(x[None])):
        with pytest.raises(RuntimeError, match="functorch transforms"):
            transformed(given[0])
    assert driver.count.value == 0
    assert total(given[0]).shape == ()  # and are over


class Sparsely(TorchDispatchMode):
    """Where room is asked for, a tensor that has none."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func is torch.ops.aten.empty.memory_format:
            with torch.sparse.check_sparse_tensor_invariants():  # else a warning, once
                return torch.sparse_coo_tensor(size=args[0])
        return func(*args, **(kwargs or {}))


def test_a_mode_that_gives_tensors_without_memory_is_refused(extension, driver):
    given = [*tensors().values(), call(extension)]
    with Sparsely(), pytest.raises(RuntimeError, match="data pointer"):
        extension.chain(*given)
    assert driver.count.value == 0


def test_threads_keep_to_their_own_tensors(extension, driver):
    def steps(found: list) -> None:
        for _ in range(50):
            given, y = started(extension)
            y.mul(3).sum().backward()
            found.append(torch.equal(given["residual"].grad, torch.full((ROWS, FEATURES), 3.0)))

    found = [[] for _ in range(8)]
    threads = [threading.Thread(target=steps, args=(one,)) for one in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[True] * 50] * 8
    assert driver.count.value == 3 * 8 * 50


def test_nothing_is_kept_of_a_call_that_is_over(extension, driver):
    given, held = list(tensors().values()), call(extension)
    looked_at = [*given, held]
    before = [sys.getrefcount(each) for each in looked_at]
    for _ in range(10):
        torch.autograd.grad(extension.chain(*given, held).sum(), given)
    gc.collect()
    assert [sys.getrefcount(each) for each in looked_at] == before
    y = extension.chain(*given, held)
    kept = [weakref.ref(each) for each in looked_at]
    del given, held, looked_at, y
    gc.collect()
    assert [each() for each in kept] == [None] * 5
