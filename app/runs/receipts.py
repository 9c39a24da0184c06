"""A run as a file: all that was measured and how, with a hash, to be shown or kept anywhere.

Everything in `content` follows from the lines that the benchmark printed and from when
it did; a reader (app/runs/receipt_reading.py) makes it anew from those. The hash
tells a file that was changed from one that was not; it is no signature: whoever writes a
file can write its hash.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from app.runs.canonical import canonical
from app.runs.transcript import Event, experiment_of
from app.store.models import Run

FORMAT = "ridgepoint-receipt"
SCHEMA = 1
HASHED = "SHA-256 of the canonical JSON (RFC 8785, in UTF-8) of the member content"


@dataclass(frozen=True)
class Receipt:
    """A run that is done: the lines its benchmark printed, and when it began and ended."""

    events: tuple[Event, ...]
    started_at: datetime | None
    finished_at: datetime | None

    @property
    def device(self) -> Event:
        """The device line."""
        return next(event for event in self.events if event["event"] == "device")

    @property
    def summary(self) -> Event:
        """The summary line."""
        return next(event for event in reversed(self.events) if event["event"] == "summary")

    @property
    def experiment(self) -> str:
        """The experiment's name."""
        return experiment_of(self.events)

    @cached_property
    def content(self) -> dict[str, Any]:
        """What is hashed: the parts that one looks for first, then every line as printed."""
        device, method = self.device, self.summary["method"]
        apart = ("event", "experiment", "parameters", "versions")
        return {
            "experiment": self.experiment,
            "parameters": device["parameters"],
            "started_at": _told(self.started_at),
            "finished_at": _told(self.finished_at),
            "device": {name: device[name] for name in device if name not in apart},
            "versions": device.get("versions") or {},
            "method": method,
            "seeds": {name: method[name] for name in method if "seed" in name},
            "clocks": self.summary.get("state") or {},
            "events": list(self.events),
        }

    @cached_property
    def sha256(self) -> str:
        """The content's hash."""
        return hashlib.sha256(canonical(self.content)).hexdigest()

    def as_text(self) -> str:
        """The file: members a line each, and each event on a line of its own."""
        head = {"format": FORMAT, "schema": SCHEMA, "sha256": self.sha256, "hashed": HASHED}
        parts = [_member(name, value) for name, value in self.content.items() if name != "events"]
        events = ",\n".join(f"   {_json(event)}" for event in self.events)
        content = ",\n".join([*(f"  {part}" for part in parts), f'  "events": [\n{events}\n  ]'])
        members = [f" {_member(name, value)}" for name, value in head.items()]
        return "{\n" + ",\n".join([*members, f' "content": {{\n{content}\n }}']) + "\n}\n"


def receipt_of(run: Run, events: Sequence[Event]) -> Receipt:
    """The receipt of a run that is done, from its row and its events."""
    return Receipt(tuple(events), run.started_at, run.finished_at)


def _told(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).isoformat() if moment else None


def _member(name: str, value: Any) -> str:
    return f"{_json(name)}: {_json(value)}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
