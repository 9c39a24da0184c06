"""Recorded runs: what the benchmark printed on a named device, kept as files, shown like any run.

A file is one run, its folder and name are the run's address. Reading the same file again
changes nothing; reading a newer one replaces the events and keeps what
learners expected of the run.
"""

import hashlib
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from sqlalchemy import delete
from sqlalchemy.orm import Session

from app.domain.running import RunDevice, RunSource, RunState
from app.runs.transcript import BadLine, Event, Transcript, experiment_of
from app.runs.values import (
    LONGEST_NAME,
    is_name,
    see_that_it_can_be_kept,
    see_that_it_can_be_shown,
)
from app.store import turns
from app.store.models import Run, RunEvent
from app.store.turns import Turn
from app.trouble import Trouble


def import_recordings(session: Session, folder: Path, now: datetime) -> int:
    """Bring the runs under `folder`/DEVICE/NAME.jsonl in; how many were new or changed.

    The caller commits. Trouble names the file that is no whole measurement, or can't name a run.
    """
    turns.take(session, Turn.CONTENT)
    files = _by_run(sorted(folder.glob("*/*.jsonl")))
    return sum(_import_file(session, run_id, path, now) for run_id, path in files.items())


def _by_run(paths: Iterable[Path]) -> dict[str, Path]:
    """The files by the ids of their runs, each one file's alone."""
    found: dict[str, Path] = {}
    for path in paths:
        run_id = f"{path.parent.name}-{path.stem}"
        if (why := _unfit(run_id)) is not None:
            raise Trouble(f"{str(path)!r} can't name a run ({why}): rename it.")
        if run_id in found:
            raise Trouble(f"{path} and {found[run_id]} both name the run {run_id}: rename one.")
        found[run_id] = path
    return found


def _unfit(run_id: str) -> str | None:
    """Why nothing can be kept and shown under this name."""
    try:
        see_that_it_can_be_kept(run_id)
        see_that_it_can_be_shown(run_id)
    except BadLine as bad:
        return str(bad)
    return None if is_name(run_id) else f"it has more than {LONGEST_NAME} characters"


def _import_file(session: Session, run_id: str, path: Path, now: datetime) -> bool:
    content = path.read_bytes()
    fingerprint = hashlib.sha256(content).hexdigest()
    known = session.get(Run, run_id)
    if known is not None and known.content_hash == fingerprint:
        return False
    events = _read(path, content)
    if known is not None:
        session.execute(delete(RunEvent).where(RunEvent.run_id == run_id))
    session.merge(_as_run(run_id, events, fingerprint, now))
    session.flush()
    session.add_all(
        RunEvent(run_id=run_id, seq=seq, at=now, body=event) for seq, event in enumerate(events)
    )
    session.flush()
    return True


def _read(path: Path, content: bytes) -> tuple[Event, ...]:
    transcript = Transcript()
    for number, line in enumerate(content.splitlines(), start=1):
        try:
            transcript.add(line)
        except BadLine as bad:
            raise Trouble(f"{path}:{number}: {bad}.") from bad
    trouble = transcript.verdict(exit_code=0)
    if trouble is not None:
        raise Trouble(f"{path}: {trouble.words}")
    return transcript.events


def _as_run(run_id: str, events: Iterable[Event], fingerprint: str, now: datetime) -> Run:
    made = _made_at(events)
    return Run(
        id=run_id,
        experiment=experiment_of(events),
        parameters=_parameters(events),
        source=RunSource.RECORDED,
        state=RunState.DONE,
        requested_at=made or now,
        started_at=made,
        finished_at=made,
        content_hash=fingerprint,
    )


def _device(events: Iterable[Event]) -> Event:
    return next(event for event in events if event["event"] == "device")


def _parameters(events: Iterable[Event]) -> Event:
    """What was run, with the kind of device as a run's own parameters have it."""
    device = _device(events)
    kind = RunDevice.GPU if device["kind"] == "cuda" else RunDevice.CPU
    return device["parameters"] | {"device": kind.value}


def _made_at(events: Iterable[Event]) -> datetime | None:
    """When it was recorded, if the recording says so; a date is never made up."""
    said = _device(events).get("at")
    return datetime.fromisoformat(said) if said else None
