"""The extension's step keeps autograd's promises."""

import gc
import sys
import weakref

import pytest

from tests.kernels.needs import torch  # isort: skip
from tests.kernels.native.given import FEATURES, ROWS, call, started, tensors


def offset_by_one(tensor: torch.Tensor) -> torch.Tensor:
    """The same values, a number away from where they would be aligned."""
    return torch.cat((tensor.new_zeros(1), tensor.flatten()))[1:].view(tensor.shape)


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


def test_without_grad_mode_there_is_no_graph(extension, driver):
    with torch.no_grad():
        _, y = started(extension)
    assert y.grad_fn is None and not y.requires_grad


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
