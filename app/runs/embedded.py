"""The worker that `serve` keeps for itself: a child process, started again when it dies.

`python -m app.runs.embedded` is that child.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

from app.runs.worker import work
from app.settings import ROOT, Settings

FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 30.0
SETTLED_SECONDS = 60.0
"""A worker that lived this long was well: the next restart comes at once again."""

STOP_SECONDS = 6.0


class EmbeddedWorker:
    """A child worker; its standard input is the lifeline that ends it with this process."""

    def __init__(self, settings: Settings) -> None:
        self._environment = without_secrets(os.environ) | as_environment(settings)
        self._stopping = threading.Event()
        self._child: subprocess.Popen[bytes] | None = None
        self._keeper = threading.Thread(target=self._keep, name="embedded-worker", daemon=True)

    def start(self) -> None:
        """Start the child and keep one running until `stop`."""
        self._keeper.start()

    def stop(self) -> None:
        """End the child, politely first."""
        self._stopping.set()
        self._keeper.join()

    @property
    def pid(self) -> int | None:
        """The child's process id while there is one."""
        return self._child.pid if self._child else None

    def _keep(self) -> None:
        pause = FIRST_PAUSE_SECONDS
        while not self._stopping.is_set():
            began = time.monotonic()
            self._live_once()
            settled = time.monotonic() - began > SETTLED_SECONDS
            pause = FIRST_PAUSE_SECONDS if settled else min(pause * 2, LONGEST_PAUSE_SECONDS)
            self._stopping.wait(pause)

    def _live_once(self) -> None:
        command = [sys.executable, "-m", "app.runs.embedded"]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, cwd=ROOT, env=self._environment
        ) as child:
            self._child = child
            while child.poll() is None and not self._stopping.wait(0.2):
                pass
            _end(child)
            self._child = None


def _end(child: subprocess.Popen[bytes]) -> None:
    child.terminate()  # does nothing to one that has ended
    with suppress(subprocess.TimeoutExpired):
        child.wait(STOP_SECONDS)
    child.kill()


SECRETS = frozenset({"secret", "judge_key"})
"""A worker signs no cookies and asks no judge, so these stay with the web process."""


def as_environment(settings: Settings) -> dict[str, str]:
    """The settings as a child reads them, without the secrets."""
    values = settings.model_dump(mode="json", exclude=set(SECRETS))
    return {_variable(name): str(value) for name, value in values.items()}


def without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that a child may have of this process's own."""
    kept_back = {_variable(name) for name in SECRETS}
    return {name: value for name, value in environment.items() if name.upper() not in kept_back}


def _variable(name: str) -> str:
    return f"RIDGEPOINT_{name.upper()}"


@contextmanager
def embedded_worker(settings: Settings) -> Iterator[EmbeddedWorker]:
    """Keep one worker running with these settings until the block is left."""
    worker = EmbeddedWorker(settings)
    worker.start()
    try:
        yield worker
    finally:
        worker.stop()


if __name__ == "__main__":
    sys.exit(work(Settings(), embedded=True))
