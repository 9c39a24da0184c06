"""Lists of runs, each with what it found in a word."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from app.domain.running import RunSource
from app.runs.result import Result, result_of
from app.store.models import Run, RunEvent

MANY = 50


@dataclass(frozen=True, slots=True)
class Line:
    """One run of a list."""

    run: Run
    parameters: Mapping[str, Any]
    device: str | None
    result: Result | None


def own(session: Session, learner_id: int) -> list[Line]:
    """The learner's runs, newest first."""
    mine = select(Run).where(Run.learner_id == learner_id).order_by(Run.requested_at.desc())
    return _lines(session, mine.limit(MANY))


def recorded(session: Session) -> list[Line]:
    """The recorded runs, by name."""
    return _lines(session, select(Run).where(Run.source == RunSource.RECORDED).order_by(Run.id))


def _lines(session: Session, runs: Select[Run]) -> list[Line]:
    found = session.scalars(runs).all()
    events = _events(session, [run.id for run in found])
    return [_line(run, events.get(run.id, [])) for run in found]


def _line(run: Run, events: list[dict[str, Any]]) -> Line:
    nothing: dict[str, Any] = {}
    device = next((event for event in events if event["event"] == "device"), nothing)
    as_run = device.get("parameters", run.parameters)
    parameters = {**as_run, "device": run.parameters["device"]}
    return Line(run, parameters, device.get("name"), result_of(events))


def _events(session: Session, run_ids: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    kept = (
        select(RunEvent.run_id, RunEvent.body)
        .where(RunEvent.run_id.in_(run_ids))
        .order_by(RunEvent.run_id, RunEvent.seq)
    )
    events: dict[str, list[dict[str, Any]]] = {}
    for run_id, body in session.execute(kept):
        events.setdefault(run_id, []).append(body)
    return events
