"""One user at a time for a device or a name, among the processes of one machine.

The system lets go of these locks when their holder dies, however it dies.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path


@contextmanager
def holding(path: Path) -> Iterator[None]:
    """Wait for the lock at `path`, then hold it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def at_once(path: Path) -> Iterator[bool]:
    """Hold the lock at `path` if nobody else does; answers whether it is held now."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


@contextmanager
def free_name(folder: Path, stem: str) -> Iterator[str]:
    """The first of `stem-0`, `stem-1`, … that nobody on this machine holds, held."""
    for number in count():
        name = f"{stem}-{number}"
        with at_once(folder / f"{name}.lock") as held:
            if held:
                yield name
                return
