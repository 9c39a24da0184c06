"""The extension hands the driver what the kernels take, and keeps autograd's promises.

Built once for all tests, and bound to a driver that starts nothing; what it would
compute is seen on a GPU (tests/gpu/test_native.py).
"""

import ctypes
import importlib.util
import os
import shutil
import struct
import subprocess
import threading
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from tests.kernels.needs import torch  # isort: skip
from kernels.native import build, calls
from kernels.native.__main__ import main

ROWS, FEATURES, PARTIALS, STREAM = 6, 32, 3, 77
HEAD = ("function", "x", "y", "z", "threads", "shared", "attributes", "stream")
FORWARD = (101, (6, 1, 1), 32, 256, False, (ROWS, 2, 3), 1e-5)
BACKWARD = (102, (3, 1, 1), 64, 512, False, (ROWS, 4, 5), None)
SUMS = (103, (2, 2, 1), 128, 64, True, (PARTIALS,), None)
NOTHING = (0, (0, 0, 0), 0, 0, False, (), None)


class Driver:
    """The launches that the fake driver wrote down."""

    def __init__(self, library: Path) -> None:
        self.library = ctypes.CDLL(str(library))
        self.count = ctypes.c_int.in_dll(self.library, "count")
        self.result = ctypes.c_int.in_dll(self.library, "result")
        self.rows = ((ctypes.c_ulonglong * 24) * 16).in_dll(self.library, "launches")

    def launch(self, at: int) -> dict:
        row = list(self.rows[at])
        return dict(zip(HEAD, row, strict=False)) | {"given": row[8:]}


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        try:
            return build.build()
        except build.BuildError as fault:
            if os.environ.get("RIDGEPOINT_REQUIRE") == "all":
                raise
            pytest.skip(str(fault))


@pytest.fixture(scope="module")
def extension(library):
    found = importlib.util.spec_from_file_location(build.MODULE, library)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.fixture
def driver(extension, tmp_path) -> Driver:
    made = tmp_path / "driver.so"
    source = Path(__file__).with_name("driver.c")
    command = [*build._compiler(), "-x", "c", "-shared", "-fPIC", *build._includes()]
    subprocess.run([*command, str(source), "-o", str(made)], check=True)
    extension.bind(str(made))
    return Driver(made)


def call(extension, need=(True, True), dtype=torch.float32, sums=SUMS):
    return extension.prepare(FORWARD, BACKWARD, sums, ROWS, FEATURES, 2, PARTIALS, *need, dtype)


def tensors(dtype=torch.float32, **wanted: bool) -> dict[str, torch.Tensor]:
    shapes = {"x": (ROWS, FEATURES), "residual": (ROWS, FEATURES), "weight": (FEATURES,),
              "bias": (FEATURES,)}  # fmt: skip
    return {
        name: torch.ones(shape, dtype=dtype).requires_grad_(wanted.get(name, True))
        for name, shape in shapes.items()
    }


def addresses(launch: dict, count: int) -> list[int]:
    return launch["given"][:count]


def numbers(launch: dict, first: int, count: int) -> list[int]:
    return [value & 0xFFFFFFFF for value in launch["given"][first : first + count]]


def test_the_forward_hands_over_tensors_numbers_and_eps(extension, driver):
    given = tensors()
    y = extension.chain(*given.values(), call(extension), STREAM)
    launch = driver.launch(0)
    assert driver.count.value == 1
    assert [launch[name] for name in HEAD] == [101, 6, 1, 1, 32, 256, 0, STREAM]
    assert addresses(launch, 5) == [t.data_ptr() for t in (*given.values(), y)]
    assert launch["given"][5]  # the statistics
    assert numbers(launch, 6, 3) == [ROWS, 2, 3]
    assert struct.pack("<I", numbers(launch, 9, 1)[0]) == struct.pack("<f", 1e-5)
    assert launch["given"][10:12] == [0, 0]  # Triton's scratch
    assert y.requires_grad and y.shape == given["x"].shape


def test_the_backward_starts_two_kernels_with_what_the_forward_kept(extension, driver):
    given, dy = tensors(), torch.ones(ROWS, FEATURES)
    y = extension.chain(*given.values(), call(extension), STREAM)
    statistics = driver.launch(0)["given"][5]
    dx, dresidual, dweight, dbias = torch.autograd.grad(y, list(given.values()), dy)
    back, sums = driver.launch(1), driver.launch(2)
    kept = [given[name].data_ptr() for name in ("x", "weight", "bias")]
    assert addresses(back, 6) == [dy.data_ptr(), *kept, statistics, dx.data_ptr()]
    assert numbers(back, 7, 3) == [ROWS, 4, 5]
    assert [back[name] for name in HEAD] == [102, 3, 1, 1, 64, 512, 0, STREAM]
    partial = back["given"][6]
    assert addresses(sums, 3) == [partial, dweight.data_ptr(), dbias.data_ptr()]
    assert numbers(sums, 3, 1) == [PARTIALS]
    assert (sums["function"], sums["attributes"]) == (103, 1)
    assert dresidual.data_ptr() == dy.data_ptr()
    assert driver.count.value == 3


def test_absent_tensors_are_left_out(extension, driver):
    given = tensors()
    y = extension.chain(given["x"], None, None, given["bias"], call(extension), STREAM)
    assert addresses(driver.launch(0), 3) == [
        given["x"].data_ptr(), given["bias"].data_ptr(), y.data_ptr(),
    ]  # fmt: skip
    assert numbers(driver.launch(0), 4, 1) == [ROWS]
    dx, dbias = torch.autograd.grad(y.sum(), (given["x"], given["bias"]))
    assert dx.shape == given["x"].shape and dbias.shape == given["bias"].shape
    assert driver.launch(2)["given"][1] == dbias.data_ptr()


def test_gradients_that_nobody_wants_are_not_made(extension, driver):
    given = tensors(weight=False, bias=False)
    y = extension.chain(*given.values(), call(extension, (True, False), sums=NOTHING), STREAM)
    dx, _ = torch.autograd.grad(y.sum(), (given["x"], given["residual"]))
    back = driver.launch(1)
    assert driver.count.value == 2
    assert back["given"][5] == dx.data_ptr()
    assert numbers(back, 6, 1) == [ROWS]  # no partial sums between


def test_dtypes_follow_the_inputs_and_the_result_the_call(extension, driver):
    given = tensors(torch.bfloat16)
    given["residual"] = torch.ones(ROWS, FEATURES, requires_grad=True)
    y = extension.chain(*given.values(), call(extension), STREAM)
    assert y.dtype is torch.float32
    found = torch.autograd.grad(y.sum(), list(given.values()))
    assert [t.dtype for t in found] == [t.dtype for t in given.values()]
    halves = tensors(torch.bfloat16)
    y = extension.chain(given["x"], *list(halves.values())[1:], call(extension), STREAM)
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
    assert extension.chain(*given.values(), call(extension), STREAM) is None
    assert driver.count.value == 0


def test_a_gradient_that_lies_otherwise_is_copied(extension, driver):
    given = tensors()
    y = extension.chain(*given.values(), call(extension), STREAM)
    dy = torch.ones(FEATURES, ROWS).T
    torch.autograd.grad(y, given["x"], dy)
    assert driver.launch(1)["given"][0] not in (0, dy.data_ptr())


@pytest.mark.parametrize(
    "unpack",
    [lambda t: t.T.contiguous().T if t.dim() == 2 else t, lambda t: offset_by_one(t)],
    ids=["transposed", "misaligned"],
)
def test_what_a_hook_hands_back_of_the_saved_is_copied_where_it_lies_otherwise(
    extension, driver, unpack
):
    given = tensors()
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, unpack):
        y = extension.chain(*given.values(), call(extension), STREAM)
        dx, *_ = torch.autograd.grad(y.sum(), list(given.values()))
    assert all(address % 16 == 0 for address in driver.launch(1)["given"][:7])
    assert driver.launch(1)["given"][1] not in (0, given["x"].data_ptr())
    assert dx.is_contiguous()


def offset_by_one(tensor: torch.Tensor) -> torch.Tensor:
    """The same values, a number away from where they would be aligned."""
    return torch.cat((tensor.new_zeros(1), tensor.flatten()))[1:].view(tensor.shape)


def test_a_thread_that_has_no_context_yet_is_given_the_device_s(extension, driver):
    def one_call():
        return extension.chain(*tensors().values(), call(extension), STREAM)

    one_call(), one_call()
    adopted = ctypes.c_int.in_dll(driver.library, "adopted")
    assert adopted.value == 1
    thread = threading.Thread(target=one_call)
    thread.start()
    thread.join()
    assert (adopted.value, driver.count.value) == (2, 3)


def test_a_second_derivative_is_refused(extension, driver):
    given = tensors()
    y = extension.chain(*given.values(), call(extension), STREAM)
    (dx,) = torch.autograd.grad(y.sum(), given["x"], create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        dx.sum().backward()


def test_an_input_changed_in_between_is_noticed(extension, driver):
    given = tensors()
    y = extension.chain(*given.values(), call(extension), STREAM)
    with torch.no_grad():
        given["x"].add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_a_second_backward_without_retaining_is_refused(extension, driver):
    given = tensors()
    y = extension.chain(*given.values(), call(extension), STREAM)
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    with pytest.raises(RuntimeError, match="second time"):
        y.sum().backward()


def test_a_launch_that_fails_says_so(extension, driver):
    driver.result.value = 2
    with pytest.raises(RuntimeError, match="did not start: CUDA error 2"):
        extension.chain(*tensors().values(), call(extension), STREAM)
    driver.result.value = 0
    y = extension.chain(*tensors().values(), call(extension), STREAM)
    driver.result.value = 3
    with pytest.raises(RuntimeError, match="did not start: CUDA error 3"):
        y.sum().backward()


def test_what_the_extension_can_t_take_is_refused(extension, driver):
    given = tensors()
    with pytest.raises(TypeError, match="6 arguments, not 4"):
        extension.chain(*given.values())
    with pytest.raises(ValueError, match="PyCapsule"):
        extension.chain(*given.values(), object(), STREAM)
    large = extension.prepare(
        FORWARD, BACKWARD, SUMS, 1 << 50, 1 << 10, 2, 3, True, True, torch.int8
    )
    with pytest.raises(RuntimeError, match="memory"):
        extension.chain(*given.values(), large, STREAM)
    assert driver.count.value == 0


def test_a_driver_that_is_not_there_is_an_os_error(extension):
    with pytest.raises(OSError, match="nowhere"):
        extension.bind("/nowhere/libcuda.so")


def test_it_is_built_once(library, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(library.parent.parent))
    monkeypatch.setattr(build, "_compiler", lambda: pytest.fail("built again"))
    assert build.build() == library


def test_without_a_compiler_a_sentence_says_what_to_install(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("CXX", "no-such-compiler")
    assert main() == 1
    assert "no C++ compiler here (no-such-compiler): install one" in capsys.readouterr().err


def test_without_python_s_headers_a_sentence_says_what_to_install(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(build.sysconfig, "get_paths", lambda: {"include": str(tmp_path)})
    assert main() == 1
    assert "apt-get install python3-dev" in capsys.readouterr().err


def test_a_cache_folder_that_can_t_be_is_a_sentence(monkeypatch, tmp_path, capsys):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file" / "cache"))
    assert main() == 1
    assert "can't be kept in a cache folder" in capsys.readouterr().err
    calls.extension.cache_clear()
    assert calls.extension() is None
    calls.extension.cache_clear()


def test_a_cache_folder_said_from_the_current_one_is_not_taken(monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    assert build.library().is_relative_to(Path.home())


def test_a_compiler_may_come_with_options(monkeypatch):
    monkeypatch.setenv("CXX", f"{shutil.which('false')} -pthread")
    assert build._compiler() == [shutil.which("false"), "-pthread"]


def test_without_pytorch_a_sentence_says_so(monkeypatch, capsys):
    def version(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(build, "version", version)
    assert main() == 1
    assert "torch is not installed" in capsys.readouterr().err


def test_a_compiler_that_fails_leaves_nothing_behind(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("CXX", shutil.which("false"))
    assert main() == 1
    assert "failed" in capsys.readouterr().err
    assert list(tmp_path.rglob("*.so")) == []
