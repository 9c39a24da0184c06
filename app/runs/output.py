"""What a program prints, read line by line as it comes.

It ends with the program, even where something that this left behind in a group of its
own holds the pipe open.
"""

import os
import queue
import subprocess
import threading
import time
from collections.abc import Iterator
from itertools import islice
from selectors import EVENT_READ, DefaultSelector
from typing import IO

LEFT_SECONDS = 1.0
"""For reading what is left once the program has ended."""

LOOK_SECONDS = 0.25
"""How often it is seen whether the program has ended, while it writes nothing."""

MOST_READ = 65_536
MAX_LINE = 1_000_000
MAX_LINES = 10_000


class Output:
    """The lines of a program that has been started, from now on."""

    def __init__(self, program: subprocess.Popen[bytes]) -> None:
        self._program = program
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, name="bench-output", daemon=True)
        self._reader.start()

    def next_line(self, timeout: float) -> bytes | None:
        """The next line, b"" at the end, or None if none came in `timeout` seconds."""
        try:
            return self._lines.get(timeout=timeout)
        except queue.Empty:
            return None

    def wait(self, timeout: float) -> None:
        """Wait for the end of the output, no longer than `timeout` seconds."""
        self._reader.join(timeout)

    def _read(self) -> None:
        """Move lines into the queue until the output ends."""
        assert self._program.stdout is not None
        with self._program.stdout as output:
            for line in islice(lines(self._written(output)), MAX_LINES):
                self._lines.put(line)
        self._lines.put(b"")

    def _written(self, output: IO[bytes]) -> Iterator[bytes]:
        """What comes through the pipe, to its end or a little beyond the program's own."""
        over = None
        with DefaultSelector() as pipe:
            pipe.register(output, EVENT_READ)
            while over is None or time.monotonic() < over:
                if over is None and self._program.poll() is not None:
                    over = time.monotonic() + LEFT_SECONDS
                if pipe.select(LOOK_SECONDS):
                    read = os.read(output.fileno(), MOST_READ)
                    if not read:
                        return
                    yield read


def lines(written: Iterator[bytes]) -> Iterator[bytes]:
    """The lines in what comes bit by bit; one that is far too long comes in pieces."""
    rest = b""
    for read in written:
        *whole, rest = (rest + read).split(b"\n")
        yield from (line + b"\n" for line in whole)
        if len(rest) >= MAX_LINE:
            yield rest
            rest = b""
    if rest:
        yield rest
