"""Compiling the extension: one command of the C++ compiler, kept for this PyTorch and Triton.

Where there is no compiler nothing is lost but time: the chain then starts its kernels
from Python, with the same results.
"""

import hashlib
import os
import platform
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

MODULE = "ridgepoint_chain"
_SOURCES = Path(__file__).parent
_FLAGS = ("-std=c++20", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-w")
_LIBRARIES = ("c10", "torch_cpu", "torch", "torch_python")
_COMPILERS = ("c++", "g++", "clang++")


class BuildError(Exception):
    """The extension can't be built here; the text says why, and what to do."""


def library() -> Path:
    """Where the extension for these sources, this PyTorch, Triton and Python is or would be."""
    digest = hashlib.sha256()
    for source in sorted(_SOURCES.glob("*.[ch]*")):
        digest.update(source.read_bytes())
    versions = (version("torch"), version("triton"), sys.implementation.cache_tag)
    digest.update(repr((versions, platform.machine(), _FLAGS)).encode())
    caches = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not caches.is_absolute():  # what is meant from the current folder is nobody's to run
        caches = Path.home() / ".cache"
    return caches / "ridgepoint" / f"{MODULE}-{digest.hexdigest()[:16]}.so"


def build() -> Path:
    """Compile the extension unless it is there already: its path; BuildError where it can't be."""
    try:
        path = library()
        if path.exists():
            return path
        command = [*_compiler(), *_FLAGS, *_includes(), str(_SOURCES / "module.cpp"), *_links()]
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            made = Path(folder) / path.name
            done = subprocess.run(
                [*command, "-o", str(made)], capture_output=True, text=True, check=False
            )
            if done.returncode:
                raise BuildError(f"{command[0]} failed:\n{done.stderr[-2000:]}")
            made.replace(path)  # whole or not at all, whoever else builds it
    except PackageNotFoundError as missing:
        raise BuildError(
            f"{missing.name} is not installed: the README says how to set up."
        ) from None
    except (OSError, RuntimeError) as fault:
        raise BuildError(f"The extension can't be kept in a cache folder: {fault}") from None
    return path


def _compiler() -> list[str]:
    """CXX, if it is set, else the first compiler there is."""
    wanted = shlex.split(os.environ.get("CXX", ""))
    names = wanted[:1] or _COMPILERS
    found = next((name for name in names if shutil.which(name)), None)
    if found is None:
        raise BuildError(
            f"There is no C++ compiler here ({', '.join(names)}): install one, for example by "
            "'apt-get install g++', and run 'python -m kernels.native' again."
        )
    return [found, *wanted[1:]]


def _includes() -> list[str]:
    python = Path(sysconfig.get_paths()["include"])
    if not (python / "Python.h").exists():
        raise BuildError(
            f"Python's headers are not in {python}: install them, for example by "
            "'apt-get install python3-dev', and run 'python -m kernels.native' again."
        )
    torch = _package("torch") / "include"
    cuda = _package("triton") / "backends" / "nvidia" / "include"
    folders = (python, torch, torch / "torch/csrc/api/include", cuda)
    return [f"-I{folder}" for folder in folders]


def _links() -> list[str]:
    """The libraries' names: import torch has loaded them by the time that the extension is."""
    return [f"-L{_package('torch') / 'lib'}", *(f"-l{name}" for name in _LIBRARIES)]


def _package(name: str) -> Path:
    found = find_spec(name)
    if found is None or not found.submodule_search_locations:
        raise PackageNotFoundError(name)
    return Path(found.submodule_search_locations[0])
