"""The extension is built once and kept, and where it can't be, a sentence says why."""

import shutil
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from tests.kernels.needs import torch  # isort: skip  # noqa: F401
from kernels.native import build, calls
from kernels.native.__main__ import main


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
