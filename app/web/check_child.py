"""The program that checks answers for the web process: frames in, frames out, one at a time.

    python -m app.web.check_child

It is a process of its own because a checker that hangs in a regular
expression holds Python's lock, and would hold up every page with it. It ends
when its input ends, or when one check outlives LAST_RESORT_SECONDS.
"""

import pickle
import signal
import sys
from typing import IO, Any

from app.domain.checking.check import check, get_ready
from app.trouble import Trouble

LAST_RESORT_SECONDS = 30  # should the parent have died while waiting
LENGTH_BYTES = 4
READY = "ready"


def main() -> None:
    """Say READY, or why not; then answer each (answer, card): (findings, None) or (None, why)."""
    try:
        get_ready()  # takes longer than many a check
    except Trouble as trouble:
        write_frame(sys.stdout.buffer, str(trouble))
        return
    write_frame(sys.stdout.buffer, READY)
    while (asked := read_frame(sys.stdin.buffer)) is not None:
        signal.alarm(LAST_RESORT_SECONDS)  # its default action ends the process, whatever it does
        write_frame(sys.stdout.buffer, _answered(*asked))
        signal.alarm(0)


def write_frame(stream: IO[bytes], value: Any) -> None:
    """Write one value, preceded by its length."""
    body = pickle.dumps(value)
    stream.write(len(body).to_bytes(LENGTH_BYTES, "big") + body)
    stream.flush()


def read_frame(stream: IO[bytes]) -> Any:
    """The next value, or None when the other side is gone."""
    length = int.from_bytes(stream.read(LENGTH_BYTES), "big")
    body = stream.read(length)
    return pickle.loads(body) if body and len(body) == length else None


def _answered(answer: str, card: Any) -> tuple[Any, str | None]:
    try:
        return check(answer, card), None
    except Exception as error:  # any fault of a checker is told, and none ends the process
        return None, type(error).__name__


if __name__ == "__main__":
    main()
