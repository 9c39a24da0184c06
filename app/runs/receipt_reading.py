"""Reading a receipt that may come from anywhere: what is believed of it, and why not the rest.

A receipt is made anew from the lines that it holds, each of them checked, and none that
differs from that is believed.
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from app.runs.canonical import canonical
from app.runs.receipts import FORMAT, SCHEMA, Receipt
from app.runs.transcript import BadLine, Event, Transcript
from app.trouble import Trouble

MOST_BYTES = 4_000_000
MOST_SAMPLES = 20_000
"""Of all cases: five times what a benchmark takes, and few enough to be resampled as one waits."""


class BadReceipt(ValueError):
    """Why a file is no receipt to go by; the text completes 'FILE …'."""


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
