"""The files that the networks are made of, each compared with its sum before it is loaded.

A file that lacks its end, or a verifier beside another network than its own, whose words'
embeddings it takes, may load and then find anything. SHA256SUMS is as `sha256sum` writes it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import file_digest
from io import BufferedReader
from pathlib import Path

from app.trouble import Trouble

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "content" / "network"
FILES = ("network.onnx", "verifier.onnx", "vocab.txt")
SUMS = "SHA256SUMS"


def whole(path: Path) -> Path:
    """The path of a file that is as SHA256SUMS beside it says; Trouble that says what to do."""
    if _digest(path) != _sums(path.with_name(SUMS)).get(path.name):
        raise _lost(path, f"is not the file that {SUMS} beside it names")
    return path


def all_whole() -> None:
    """Trouble at the first of the networks' files that is missing or damaged."""
    for name in FILES:
        whole(FOLDER / name)


def _sums(path: Path) -> dict[str, str]:
    """The sum of each file, by its name."""
    with _opened(path) as file:
        lines = file.read().decode("utf-8", "replace").splitlines()
    pairs = (line.split() for line in lines)
    return {pair[1]: pair[0] for pair in pairs if len(pair) == 2}


def _digest(path: Path) -> str:
    with _opened(path) as file:
        return file_digest(file, "sha256").hexdigest()


@contextmanager
def _opened(path: Path) -> Iterator[BufferedReader]:
    """The file, to be read within the block: a disk may fail at any of its bytes."""
    try:
        if path.exists() and not path.is_file():  # to open a pipe waits for who writes to it
            raise _lost(path, "is no regular file")
        with path.open("rb") as file:
            yield file
    except FileNotFoundError as fault:
        raise _lost(path, "is missing") from fault
    except PermissionError as fault:
        raise Trouble(
            f"{_named(path)} can't be read: let the user that Ridgepoint runs as read it."
        ) from fault
    except OSError as fault:
        raise _lost(path, f"can't be read ({fault.strerror})") from fault


def _lost(path: Path, how: str) -> Trouble:
    name = _named(path)
    return Trouble(
        f"{name} {how}: get it back with `git checkout -- {name}`, or from a fresh copy of "
        "this version."
    )


def _named(path: Path) -> Path:
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
