"""One user at a time for a device or a name, among the processes of one machine.

The system lets go of these locks when their holder dies, however it dies.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def holding(path: Path) -> Iterator[None]:
    """Wait for the lock at `path`, then hold it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def free_name(folder: Path, stem: str) -> Iterator[str]:
    """The first of `stem-0`, `stem-1`, … that nobody on this machine holds, held."""
    folder.mkdir(parents=True, exist_ok=True)
    number = 0
    while True:
        with (folder / f"{stem}-{number}.lock").open("w") as file:
            if _lock_at_once(file.fileno()):
                yield f"{stem}-{number}"
                return
        number += 1


def _lock_at_once(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
