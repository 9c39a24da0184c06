"""One user at a time for a device or a name, among the processes of one machine.

The system lets go of these locks when their holder dies, however it dies.
"""

import fcntl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import IO

ASK_AGAIN_SECONDS = 0.25


@contextmanager
def in_turn(path: Path, stopping: threading.Event) -> Iterator[bool]:
    """Wait for the lock at `path` and hold it; False if `stopping` was set before it was free."""
    with _open(path) as file:
        held = _lock(file)
        while not held and not stopping.wait(ASK_AGAIN_SECONDS):
            held = _lock(file)
        yield held


@contextmanager
def at_once(path: Path) -> Iterator[bool]:
    """Hold the lock at `path` if nobody else does; answers whether it is held now."""
    with _open(path) as file:
        yield _lock(file)


@contextmanager
def free_name(folder: Path, stem: str) -> Iterator[str]:
    """The first of `stem-0`, `stem-1`, … that nobody on this machine holds, held."""
    for number in count():
        name = f"{stem}-{number}"
        with at_once(folder / f"{name}.lock") as held:
            if held:
                yield name
                return


def _open(path: Path) -> IO[str]:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.open("w")


def _lock(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
