"""The device of a worker: what it is, which runs it serves, and whether it still answers.

Asked by a short process of its own: a driver that hangs hangs that process,
which is killed, and the worker goes on.
"""

import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import structlog

from app.domain.running import RunDevice
from app.runs import bench
from app.runs.lines import BadLine, parse
from app.runs.output import LOOK_SECONDS
from app.settings import Settings

PROBE_SECONDS = 90.0
"""torch with CUDA can take this long to import from a cold disk."""

TRIES = 5
PAUSE_SECONDS = 5.0

log: Any = structlog.get_logger()


@dataclass(slots=True)
class Device:
    """A device as found at the start, and whether anything happened to it since."""

    settings: Settings
    facts: dict[str, Any]
    lock: Path
    _doubted: threading.Event = field(default_factory=threading.Event)

    @property
    def name(self) -> str:
        """The device's name, or what kept it from saying one."""
        return str(self.facts.get("name") or self.facts.get("trouble"))

    @property
    def serves(self) -> tuple[RunDevice, ...]:
        """The kinds of run that can be made here."""
        return tuple(RunDevice(name) for name in self.facts["serves"])

    @property
    def is_gpu(self) -> bool:
        """Whether there is a driver, which a program that was ended can leave in any state."""
        return RunDevice.GPU in self.serves

    def doubt(self) -> None:
        """Something may be wrong with it: no run starts before the device answers again."""
        self._doubted.set()

    def answers(self, stopping: threading.Event) -> bool:
        """Whether the device can be used; if in doubt it is asked, a few times."""
        for turn in range(TRIES):
            if turn and stopping.wait(PAUSE_SECONDS):
                break
            if self.settle(stopping):
                return True
        return False

    def settle(self, stopping: threading.Event) -> bool:
        """Whether the device can be used; if in doubt it is asked once."""
        if self._doubted.is_set() and not stopping.is_set():
            found = probe(self.settings, stopping)
            if found["serves"] == self.facts["serves"]:
                self._doubted.clear()
            elif not stopping.is_set():
                log.warning("device silent", found=found.get("trouble") or found.get("no_gpu"))
        return not self._doubted.is_set()


def find(settings: Settings, stopping: threading.Event) -> Device:
    """Look for this machine's device; it serves nothing if `stopping` came before its answer."""
    facts = probe(settings, stopping)
    name = "".join(letter if letter.isalnum() else "-" for letter in str(facts.get("id", "cpu")))
    return Device(settings, facts, settings.lock_dir / f"device-{name}.lock")


def probe(settings: Settings, stopping: threading.Event) -> dict[str, Any]:
    """What the device says of itself now; `serves` is empty where nothing can be run.

    Given up once `stopping` is set: a worker that is told to stop can't wait for a silent device.
    """
    over = time.monotonic() + PROBE_SECONDS
    with bench.running(settings, ["device"]) as process:
        while time.monotonic() < over and not stopping.is_set():
            line = process.output.next_line(LOOK_SECONDS)
            if line == b"":
                break
            if line:
                return _facts(line)
        return {"serves": [], "trouble": process.last_words() or "the device did not answer"}


def _facts(line: bytes) -> dict[str, Any]:
    try:
        event = parse(line)
    except BadLine as bad:
        return {"serves": [], "trouble": str(bad)}
    if event["event"] == "error":
        return {"serves": [], "trouble": event["message"], "trouble_kind": event["kind"]}
    serves = [RunDevice.GPU, RunDevice.CPU] if event.get("kind") == "cuda" else [RunDevice.CPU]
    return event | {"serves": [kind.value for kind in serves]}
