"""The extension under compiled autograd, torch.func, checkpoints, anomaly mode and threads."""

import threading

import pytest

from tests.kernels.needs import torch  # isort: skip
from torch._dynamo import compiled_autograd
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import checkpoint

from tests.kernels.native.given import BACKWARD, FEATURES, ROWS, call, started, tensors

# PyTorch 2.11's own, as Dynamo is imported.
pytestmark = pytest.mark.filterwarnings("ignore:.*torch.jit:DeprecationWarning")


def test_many_gradients_at_once_are_refused(extension, driver):
    given, y = started(extension)
    with pytest.raises(RuntimeError, match="data pointer"):
        torch.autograd.grad(y, given["x"], torch.ones(3, ROWS, FEATURES), is_grads_batched=True)
    assert driver.functions() == [101]


def test_a_checkpoint_starts_the_forward_again(extension, driver):
    given, held = tensors(), call(extension)

    def checkpointed(*arguments):
        return extension.chain(*arguments, held)

    y = checkpoint(checkpointed, *given.values(), use_reentrant=False)
    y.sum().backward()
    assert driver.functions() == [101, 101, 102, 103]
    assert all(t.grad is not None for t in given.values())


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
