"""The extension hands the driver what the kernels take."""

import struct
import threading

import pytest

from tests.kernels.needs import torch  # isort: skip
from tests.kernels.native import given as settled
from tests.kernels.native.given import FEATURES, PARTIALS, ROWS, call, tensors


def head(launch: dict) -> list[int]:
    """Function, grid, threads, shared bytes, attributes and stream."""
    return [value for name, value in launch.items() if name != "given"]


def addresses(launch: dict, count: int) -> list[int]:
    return launch["given"][:count]


def numbers(launch: dict, first: int, count: int) -> list[int]:
    return [value & 0xFFFFFFFF for value in launch["given"][first : first + count]]


def test_the_forward_hands_over_tensors_numbers_and_eps(extension, driver):
    given = tensors()
    y = extension.chain(*given.values(), call(extension))
    launch = driver.launch(0)
    assert driver.count.value == 1
    assert head(launch) == [101, 6, 1, 1, 32, 256, 0, 0]
    assert addresses(launch, 5) == [t.data_ptr() for t in (*given.values(), y)]
    assert launch["given"][5]  # the statistics
    assert numbers(launch, 6, 3) == [ROWS, 2, 3]
    assert struct.pack("<I", numbers(launch, 9, 1)[0]) == struct.pack("<f", 1e-5)
    assert launch["given"][10:12] == [0, 0]  # Triton's scratch
    assert y.requires_grad and y.shape == given["x"].shape


def test_the_backward_starts_two_kernels_with_what_the_forward_kept(extension, driver):
    given, dy = tensors(), torch.ones(ROWS, FEATURES)
    y = extension.chain(*given.values(), call(extension))
    statistics = driver.launch(0)["given"][5]
    dx, dresidual, dweight, dbias = torch.autograd.grad(y, list(given.values()), dy)
    back, sums = driver.launch(1), driver.launch(2)
    kept = [given[name].data_ptr() for name in ("x", "weight", "bias")]
    assert addresses(back, 6) == [dy.data_ptr(), *kept, statistics, dx.data_ptr()]
    assert numbers(back, 7, 3) == [ROWS, 4, 5]
    assert head(back) == [102, 3, 1, 1, 64, 512, 0, 0]
    partial = back["given"][6]
    assert addresses(sums, 3) == [partial, dweight.data_ptr(), dbias.data_ptr()]
    assert numbers(sums, 3, 1) == [PARTIALS]
    assert (sums["function"], sums["attributes"]) == (103, 1)
    assert dresidual.data_ptr() == dy.data_ptr()
    assert driver.count.value == 3


def test_absent_tensors_are_left_out(extension, driver):
    given = tensors()
    y = extension.chain(given["x"], None, None, given["bias"], call(extension))
    assert addresses(driver.launch(0), 3) == [
        given["x"].data_ptr(), given["bias"].data_ptr(), y.data_ptr(),
    ]  # fmt: skip
    assert numbers(driver.launch(0), 4, 1) == [ROWS]
    dx, dbias = torch.autograd.grad(y.sum(), (given["x"], given["bias"]))
    assert dx.shape == given["x"].shape and dbias.shape == given["bias"].shape
    assert driver.launch(2)["given"][1] == dbias.data_ptr()


def test_gradients_that_nobody_wants_are_not_made(extension, driver):
    given = tensors(weight=False, bias=False)
    y = extension.chain(*given.values(), call(extension, (True, False), sums=settled.NOTHING))
    dx, _ = torch.autograd.grad(y.sum(), (given["x"], given["residual"]))
    back = driver.launch(1)
    assert driver.count.value == 2
    assert back["given"][5] == dx.data_ptr()
    assert numbers(back, 6, 1) == [ROWS]  # no partial sums between


def test_dtypes_follow_the_inputs_and_the_result_the_call(extension, driver):
    given = tensors(torch.bfloat16)
    given["residual"] = torch.ones(ROWS, FEATURES, requires_grad=True)
    y = extension.chain(*given.values(), call(extension, dtype=torch.bfloat16, y=torch.float32))
    assert y.dtype is torch.float32
    found = torch.autograd.grad(y.sum(), list(given.values()))
    assert [t.dtype for t in found] == [t.dtype for t in given.values()]
    halves = tensors(torch.bfloat16)
    wide = call(extension, dtype=torch.bfloat16, y=torch.float32)
    y = extension.chain(given["x"], *list(halves.values())[1:], wide)
    assert torch.autograd.grad(y.sum(), halves["residual"])[0].dtype is torch.bfloat16


@pytest.mark.parametrize(
    "spoil",
    [
        lambda x: x.detach().T.contiguous().T.requires_grad_(),
        lambda x: torch.ones(ROWS * FEATURES + 1)[1:].view(ROWS, FEATURES).requires_grad_(),
    ],
    ids=["transposed", "misaligned"],
)
def test_tensors_that_lie_otherwise_are_left_to_python(extension, driver, spoil):
    given = tensors()
    given["x"] = spoil(given["x"])
    assert extension.chain(*given.values(), call(extension)) is None
    assert driver.count.value == 0


def test_a_thread_that_has_no_context_yet_is_given_the_device_s(extension, driver):
    def one_call():
        return extension.chain(*tensors().values(), call(extension))

    one_call()
    before = driver.adopted.value
    one_call()
    assert driver.adopted.value == before
    thread = threading.Thread(target=one_call)
    thread.start()
    thread.join()
    assert (driver.adopted.value, driver.count.value) == (before + 1, 3)


def test_a_launch_that_fails_says_so(extension, driver):
    driver.result.value = 2
    with pytest.raises(RuntimeError, match="did not start: CUDA error 2"):
        extension.chain(*tensors().values(), call(extension))
    driver.result.value = 0
    y = extension.chain(*tensors().values(), call(extension))
    driver.result.value = 3
    with pytest.raises(RuntimeError, match="did not start: CUDA error 3"):
        y.sum().backward()


def test_what_the_extension_can_t_take_is_refused(extension, driver):
    given = tensors()
    with pytest.raises(TypeError, match="5 arguments, not 4"):
        extension.chain(*given.values())
    for other in (object(), torch.ones(3)):
        with pytest.raises(TypeError, match=r"takes tensors|holds no call"):
            extension.chain(*given.values(), other)
    with pytest.raises(TypeError, match="takes tensors"):
        extension.chain([1.0], *list(given.values())[1:], call(extension))
    dtypes = (torch.float32,) * 3 + (torch.int8,)
    kernels = (settled.FORWARD, settled.BACKWARD, settled.SUMS)
    large = extension.prepare(*kernels, 1 << 50, 1 << 10, 2, 3, True, True, dtypes)
    with pytest.raises(RuntimeError, match="memory"):
        extension.chain(*given.values(), large)
    assert driver.count.value == 0


def test_a_driver_that_is_not_there_is_an_os_error(extension):
    with pytest.raises(OSError, match="nowhere"):
        extension.bind("/nowhere/libcuda.so")


def test_loaded_again_it_starts_the_same_kernels(load, driver):
    again = load()
    y = again.chain(*tensors().values(), call(again))
    y.sum().backward()
    assert driver.functions() == [101, 102, 103]
