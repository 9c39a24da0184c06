"""A process that ends when the one that started it ends, even by kill -9.

The starter keeps the writing end of a pipe on the child's standard input and
never writes. When the starter is gone, however it went, the pipe reads as
ended. It works on Linux and macOS alike, and for grandchildren too.

`python -m app.runs.lifeline PROGRAM ARGS…` runs a program in this process's
group and ends the whole group when the line is cut.
"""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from types import FrameType

STDIN = 0


def when_cut(act: Callable[[], None]) -> None:
    """Call `act` in a background thread once whoever holds the other end is gone."""
    threading.Thread(target=_wait_then, args=(act,), name="lifeline", daemon=True).start()


def _wait_then(act: Callable[[], None]) -> None:
    while os.read(STDIN, 4096):
        pass
    act()


def _wait_for_the_child(_number: int, _frame: FrameType | None) -> None:
    pass


def main(command: Sequence[str]) -> int:
    """Run `command` to its end; answers its exit code, negative for a signal turned to 128 + n."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    # A polite signal goes to the whole group: the child ends in its own way, then this.
    signal.signal(signal.SIGTERM, _wait_for_the_child)
    when_cut(lambda: os.killpg(os.getpgrp(), signal.SIGKILL))
    code = child.wait()
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
