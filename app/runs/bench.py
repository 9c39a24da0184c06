"""Runs the benchmark as a process of its own and reads what it prints, line by line.

It gets a process group, so that it can be killed with all it started; a small
environment, so that it sees no secret of ours; and a lifeline, so that it dies
with the worker. Its output ends with it, even where something that it left behind
in a group of its own holds the pipe open.
"""

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from selectors import EVENT_READ, DefaultSelector
from tempfile import TemporaryFile
from typing import IO

from app.settings import ROOT, Settings

PASSED_ON = (
    "PATH", "HOME", "LANG", "TMPDIR", "CC", "LD_LIBRARY_PATH",
    "CUDA_VISIBLE_DEVICES", "CUDA_HOME", "CUDA_DEVICE_ORDER",
)  # fmt: skip
GRACE_SECONDS = 1.0
"""Between the polite signal and the one that can't be refused."""

LEFT_SECONDS = 1.0
"""For reading what is left once the program has ended."""

LOOK_SECONDS = 0.25
"""How often it is seen whether the program has ended, while it writes nothing."""

STDERR_KEPT = 4000
MOST_READ = 65_536
MAX_LINE = 1_000_000
MAX_LINES = 10_000


@dataclass(slots=True)
class Process:
    """A benchmark that has been started."""

    popen: subprocess.Popen[bytes]
    stderr: IO[bytes]
    _lines: queue.SimpleQueue[bytes] = field(default_factory=queue.SimpleQueue[bytes])

    def next_line(self, timeout: float) -> bytes | None:
        """The next line, b"" at the end, or None if none came in `timeout` seconds."""
        try:
            return self._lines.get(timeout=timeout)
        except queue.Empty:
            return None

    def exit_code(self) -> int:
        """The program's exit code once its output has ended, 128 + n if signal n ended it."""
        with suppress(subprocess.TimeoutExpired):
            self.popen.wait(GRACE_SECONDS)
        self.end()
        code = self.popen.returncode
        return code if code >= 0 else 128 - code

    def ended_in_order(self) -> bool:
        """Whether it, now ended, did so by itself or when politely told.

        One that had to be killed, or died, may have left something behind that holds the
        processor, or files half written.
        """
        return self.popen.returncode in (0, 128 + signal.SIGTERM)

    def last_words(self) -> str:
        """The end of what it wrote to standard error."""
        self.stderr.seek(0, os.SEEK_END)
        self.stderr.seek(max(0, self.stderr.tell() - STDERR_KEPT))
        return self.stderr.read().decode(errors="replace").strip()

    def read_on(self) -> None:
        """Move lines into the queue until the output ends; runs in a thread."""
        assert self.popen.stdout is not None
        with self.popen.stdout as output:
            for line in islice(lines(self._written(output)), MAX_LINES):
                self._lines.put(line)
        self._lines.put(b"")

    def _written(self, output: IO[bytes]) -> Iterator[bytes]:
        """What comes through the pipe, to its end or a little beyond the program's own."""
        over = None
        with DefaultSelector() as pipe:
            pipe.register(output, EVENT_READ)
            while over is None or time.monotonic() < over:
                if over is None and self.popen.poll() is not None:
                    over = time.monotonic() + LEFT_SECONDS
                if pipe.select(LOOK_SECONDS):
                    read = os.read(output.fileno(), MOST_READ)
                    if not read:
                        return
                    yield read

    def end(self) -> None:
        """Kill the whole group, politely first; nothing of it is left after this."""
        if self.popen.poll() is None:
            self._signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self.popen.wait(GRACE_SECONDS)
        self._signal(signal.SIGKILL)
        self.popen.wait()

    def cut_lifeline(self) -> None:
        """Close our end of the pipe that the process watches."""
        assert self.popen.stdin is not None
        self.popen.stdin.close()

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):  # the group is gone
            os.killpg(self.popen.pid, number)


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


@contextmanager
def running(settings: Settings, arguments: Sequence[str]) -> Iterator[Process]:
    """Start the benchmark with these arguments; on leaving, nothing of it is left."""
    with TemporaryFile() as stderr:
        process = Process(_start(settings, arguments, stderr), stderr)
        reader = threading.Thread(target=process.read_on, name="bench-output", daemon=True)
        reader.start()
        try:
            yield process
        finally:
            process.end()
            reader.join(GRACE_SECONDS)
            process.cut_lifeline()


def _start(
    settings: Settings, arguments: Sequence[str], stderr: IO[bytes]
) -> subprocess.Popen[bytes]:
    program = [sys.executable, "-m", settings.bench_module, *arguments]
    return subprocess.Popen(
        [sys.executable, "-m", "app.runs.lifeline", *program],
        stdin=subprocess.PIPE,  # the lifeline: held open, never written
        stdout=subprocess.PIPE,
        stderr=stderr,
        cwd=ROOT,
        env=_environment(settings),
        start_new_session=True,
    )


def _environment(settings: Settings) -> dict[str, str]:
    kept = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    caches = settings.data_dir / "cache"
    return kept | {
        "PYTHONUNBUFFERED": "1",
        "TRITON_CACHE_DIR": str(caches / "triton"),
        "TORCHINDUCTOR_CACHE_DIR": str(caches / "inductor"),
    }
