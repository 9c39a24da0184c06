"""A run as a file: all that was measured and how, with a hash, to be shown or kept anywhere.

Everything in `content` follows from the lines that the benchmark printed and from when
it did; a reader therefore makes it anew from those, and believes none that differs. The
hash tells a file that was changed from one that was not; it is no signature: whoever
writes a file can write its hash.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from app.runs.canonical import canonical
from app.runs.transcript import BadLine, Event, Transcript, experiment_of
from app.store.models import Run
from app.trouble import Trouble

FORMAT = "ridgepoint-receipt"
SCHEMA = 1
HASHED = "SHA-256 of the canonical JSON (RFC 8785, in UTF-8) of the member content"
MOST_BYTES = 4_000_000
MOST_SAMPLES = 20_000
"""Of all cases: five times what a benchmark takes, and few enough to be resampled as one waits."""


class BadReceipt(ValueError):
    """Why a file is no receipt to go by; the text completes 'FILE …'."""


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


def read_file(path: Path) -> Receipt:
    """The receipt in this file; Trouble says in one sentence why it is none to go by."""
    try:
        with path.open("rb") as file:
            return read(file.read(MOST_BYTES + 1))
    except BadReceipt as bad:
        raise Trouble(f"{path} {bad}.") from bad
    except OSError as fault:
        raise Trouble(f"{path} can't be read: {fault.strerror}.") from fault


def read(text: bytes) -> Receipt:
    """The receipt that a file's bytes hold; BadReceipt."""
    if len(text) > MOST_BYTES:
        raise BadReceipt(f"is larger than the {MOST_BYTES:,} bytes that a receipt may have")
    file = _opened(text)
    content = file["content"]
    try:
        found = hashlib.sha256(canonical(content)).hexdigest()
    except ValueError as fault:
        raise BadReceipt(f"is no receipt: {fault}") from None
    if found != file.get("sha256"):
        raise BadReceipt(
            f"was changed after it was written: its content has the SHA-256 {found[:12]}…, and it "
            f"names {str(file.get('sha256'))[:12]}…"
        )
    receipt = Receipt(
        _events(content), *(_moment(content, n) for n in ("started_at", "finished_at"))
    )
    if canonical(receipt.content) != canonical(content):
        raise BadReceipt("does not follow from its own lines: export it anew where it was measured")
    return receipt


def _opened(text: bytes) -> dict[str, Any]:
    """The file as a receipt of the schema that is read here."""
    try:
        file = json.loads(text)
    except (ValueError, RecursionError):
        raise BadReceipt("is no receipt of a run: it is not JSON") from None
    if not isinstance(file, dict) or cast(Event, file).get("format") != FORMAT:
        raise BadReceipt(f"is no receipt of a run: it does not say that its format is {FORMAT}")
    file = cast(Event, file)
    schema = file.get("schema")
    if type(schema) is not int or schema != SCHEMA:  # True is no 1 here
        newer = isinstance(schema, int) and schema > SCHEMA
        what = "update this copy" if newer else "export it anew with a newer Ridgepoint"
        raise BadReceipt(f"has the schema {str(schema)[:20]}, and {SCHEMA} is read here: {what}")
    if not isinstance(file.get("content"), dict):
        raise BadReceipt("is no receipt of a run: it has no content")
    return file


def _events(content: Mapping[str, Any]) -> tuple[Event, ...]:
    """The lines, each checked, and all together a whole measurement."""
    lines = content.get("events")
    transcript, samples = Transcript(), 0
    for number, line in enumerate(cast(list[Any], lines) if isinstance(lines, list) else []):
        try:
            event = transcript.add(json.dumps(line).encode())
        except BadLine as bad:
            raise BadReceipt(f"holds no whole measurement: event {number}: {bad}") from None
        samples += len(event.get("samples_us") or ())
        if samples > MOST_SAMPLES:
            raise BadReceipt(f"holds more than {MOST_SAMPLES:,} samples")
    trouble = transcript.verdict(exit_code=0)
    if trouble is not None:
        raise BadReceipt(f"holds no whole measurement: {trouble.words.rstrip('.')}")
    return transcript.events


def _moment(content: Mapping[str, Any], name: str) -> datetime | None:
    said = content.get(name)
    if said is None:
        return None
    try:
        moment = datetime.fromisoformat(said)
        if moment.tzinfo is not None:
            return moment.astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        pass
    raise BadReceipt(f"says no moment where {name} stands")


def _told(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).isoformat() if moment else None


def _member(name: str, value: Any) -> str:
    return f"{_json(name)}: {_json(value)}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
