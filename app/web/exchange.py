"""Asking a child process something and waiting for its reply, but not for ever."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Timer
from typing import Any

from app.web.check_child import read_frame, write_frame


def exchange(child: subprocess.Popen[bytes], asked: Any, seconds: float) -> tuple[Any, bool]:
    """Send `asked`, unless it is None, and read the reply: (reply or None, whether it was late)."""
    assert child.stdin is not None and child.stdout is not None  # both are pipes
    reply = None
    with _killed_after(child, seconds) as late:
        try:
            if asked is not None:
                write_frame(child.stdin, asked)
            reply = read_frame(child.stdout)
        except (OSError, ValueError):
            pass  # it is gone, or was closed from another thread: no reply
    return reply, late.is_set() and reply is None


@contextmanager
def _killed_after(child: subprocess.Popen[bytes], seconds: float) -> Iterator[Event]:
    """Kill `child` when the block lasts longer, so that no read or write in it waits for ever."""
    late = Event()

    def kill() -> None:
        late.set()
        child.kill()

    timer = Timer(seconds, kill)
    timer.daemon = True
    timer.start()
    try:
        yield late
    finally:
        timer.cancel()
