"""The networks' files: what is missing or damaged is named, with how to get it back."""

import os
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from app.domain.checking.weights import FOLDER, ROOT, whole
from app.trouble import Trouble

BACK = "get it back with `git checkout -- "
CRLF = "-c", "core.autocrlf=true"
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12020830\n"


@pytest.fixture
def file(tmp_path):
    """A file that is as its sum says."""
    path = tmp_path / "some.onnx"
    path.write_bytes(b"weights")
    (tmp_path / "SHA256SUMS").write_text(f"{sha256(b'weights').hexdigest()}  some.onnx\n")
    return path


def told(path):
    with pytest.raises(Trouble) as trouble:
        whole(path)
    return str(trouble.value)


@pytest.mark.parametrize("name", ["network.onnx", "verifier.onnx", "vocab.txt"])
def test_what_ships_is_as_its_sum_says(name):
    assert whole(FOLDER / name) == FOLDER / name


def test_a_file_that_is_as_its_sum_says_can_be_loaded(file):
    assert whole(file) == file


@pytest.mark.parametrize("left", [b"", b"weigh", POINTER, b"weights of another network"])
def test_a_file_that_is_not_is_named_with_how_to_get_it_back(file, left):
    file.write_bytes(left)
    assert told(file).startswith(f"{file} is not the file that SHA256SUMS beside it names: {BACK}")


def test_a_file_that_is_missing_is_named(file):
    file.unlink()
    assert told(file).startswith(f"{file} is missing: {BACK}{file}`, or from a fresh copy")


@pytest.mark.parametrize(
    "put",
    [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("/dev/zero")],
    ids=["folder", "pipe", "device"],
)
@pytest.mark.parametrize("name", ["some.onnx", "SHA256SUMS"])
def test_what_is_no_file_of_bytes_is_told_at_once(file, put, name):
    path = file.with_name(name)
    path.unlink()
    put(path)
    assert told(file).startswith(f"{path} is no regular file: {BACK}")


def test_one_that_breaks_off_as_it_is_read_is_told(file, monkeypatch):
    def broken(*_):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("app.domain.checking.weights.file_digest", broken)
    assert told(file).startswith(f"{file} can't be read (Input/output error): {BACK}")


@pytest.mark.skipif(shutil.which("git") is None, reason="no git to check out with")
def test_a_checkout_keeps_every_byte_whatever_git_is_told_of_ends_of_lines(tmp_path):
    def git(*words):
        subprocess.run(["git", "-C", tmp_path, *CRLF, *words], check=True, capture_output=True)

    shutil.copyfile(ROOT / ".gitattributes", tmp_path / ".gitattributes")
    words = tmp_path / "vocab.txt"
    words.write_bytes(b"the\nand\n")
    git("init")
    git("add", ".")
    words.unlink()
    git("checkout", "--", "vocab.txt")
    assert words.read_bytes() == b"the\nand\n"


def test_one_that_may_not_be_read_is_told_with_what_to_do(file, monkeypatch):
    def closed(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.open", closed)  # the tests may run as root, who reads all
    assert told(file) == f"{file} can't be read: let the user that Ridgepoint runs as read it."


def test_sums_that_are_missing_or_cut_are_told(file):
    sums = file.with_name("SHA256SUMS")
    sums.write_text("no sum\nat all of it\n")
    assert "is not the file that SHA256SUMS" in told(file)
    sums.unlink()
    assert told(file).startswith(f"{sums} is missing: {BACK}")


def test_a_file_of_the_project_is_named_as_git_knows_it(monkeypatch, tmp_path):
    monkeypatch.setattr("app.domain.checking.weights.ROOT", tmp_path)
    assert told(tmp_path / "content" / "network" / "verifier.onnx") == (
        "content/network/verifier.onnx is missing: get it back with "
        "`git checkout -- content/network/verifier.onnx`, or from a fresh copy of this version."
    )
