"""The extension, built once for all tests, over a driver that starts nothing.

What it would compute is seen on a GPU (tests/gpu/test_native.py).
"""

import ctypes
import importlib.util
import os
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

from kernels.native import build

_HEAD = ("function", "x", "y", "z", "threads", "shared", "attributes", "stream")


class Driver:
    """The launches that the fake driver wrote down; none at first."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self.count = ctypes.c_int.in_dll(library, "count")
        self.result = ctypes.c_int.in_dll(library, "result")
        self.adopted = ctypes.c_int.in_dll(library, "adopted")
        self.rows = ((ctypes.c_ulonglong * 24) * 16).in_dll(library, "launches")
        self.count.value = self.result.value = 0

    def launch(self, at: int) -> dict:
        row = list(self.rows[at])
        return dict(zip(_HEAD, row, strict=False)) | {"given": row[8:]}

    def functions(self) -> list[int]:
        """The kernels started, in order."""
        return [self.launch(at)["function"] for at in range(self.count.value)]


@pytest.fixture(scope="session")
def library(tmp_path_factory) -> Path:
    """The extension, compiled."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        try:
            return build.build()
        except build.BuildError as fault:
            if os.environ.get("RIDGEPOINT_REQUIRE") == "all":
                raise
            pytest.skip(str(fault))


@pytest.fixture(scope="session")
def load(library):
    """Load the extension, as often as it is called."""

    def loaded() -> ModuleType:
        found = importlib.util.spec_from_file_location(build.MODULE, library)
        module = importlib.util.module_from_spec(found)
        found.loader.exec_module(module)
        return module

    return loaded


@pytest.fixture(scope="session")
def extension(load) -> ModuleType:
    return load()


@pytest.fixture(scope="session")
def fake(library, tmp_path_factory) -> Path:
    """The driver that starts nothing, compiled."""
    made = tmp_path_factory.mktemp("driver") / "driver.so"
    source = Path(__file__).with_name("driver.c")
    command = [*build._compiler(), "-x", "c", "-shared", "-fPIC", *build._includes()]
    subprocess.run([*command, str(source), "-o", str(made)], check=True)
    return made


@pytest.fixture
def driver(extension, fake) -> Driver:
    """What the extension starts kernels by in this test."""
    extension.bind(str(fake))
    return Driver(ctypes.CDLL(str(fake)))
