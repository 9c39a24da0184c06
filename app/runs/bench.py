"""Runs the benchmark as a process of its own.

It gets a process group, so that it can be killed with all it started; a small
environment, so that it sees no secret of ours; and a lifeline, so that it dies
with the worker.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO

from app.runs.output import Output
from app.settings import ROOT, Settings

PASSED_ON = (
    "PATH", "HOME", "XDG_CACHE_HOME", "LANG", "TMPDIR", "CC", "LD_LIBRARY_PATH",
    "CUDA_VISIBLE_DEVICES", "CUDA_HOME", "CUDA_DEVICE_ORDER",
)  # fmt: skip
GRACE_SECONDS = 1.0
"""Between the polite signal and the one that can't be refused."""

STDERR_KEPT = 4000


@dataclass(slots=True)
class Process:
    """A benchmark that has been started."""

    popen: subprocess.Popen[bytes]
    stderr: IO[bytes]
    output: Output

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


@contextmanager
def running(settings: Settings, arguments: Sequence[str]) -> Iterator[Process]:
    """Start the benchmark with these arguments; on leaving, nothing of it is left."""
    with TemporaryFile() as stderr:
        popen = _start(settings, arguments, stderr)
        process = Process(popen, stderr, Output(popen))
        try:
            yield process
        finally:
            process.end()
            process.output.wait(GRACE_SECONDS)
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
