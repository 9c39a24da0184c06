"""Runs measured elsewhere, brought in by their receipts: shown like any run, nobody's here."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.running import RunDevice, RunSource, RunState
from app.runs.conclusions import events_of
from app.runs.receipts import Receipt, receipt_of
from app.store import turns
from app.store.models import Run, RunEvent
from app.store.turns import Turn

ID_DIGITS = 24


@dataclass(frozen=True, slots=True)
class Imported:
    """Where a receipt's run is to be seen, and whether it was not here before."""

    run_id: str
    new: bool


def import_receipt(session: Session, receipt: Receipt, now: datetime) -> Imported:
    """Keep the receipt's run under its hash, unless it is here already; the caller commits."""
    turns.take(session, Turn.CONTENT)
    known = session.get(Run, _id_of(receipt)) or _measured_here(session, receipt)
    if known is not None:
        return Imported(known.id, new=False)
    run = as_run(receipt, now)
    session.add(run)
    session.flush()
    session.add_all(
        RunEvent(run_id=run.id, seq=seq, at=now, body=event)
        for seq, event in enumerate(receipt.events)
    )
    session.flush()
    return Imported(run.id, new=True)


def as_run(receipt: Receipt, now: datetime) -> Run:
    """The receipt's run as a row; `now` stands where the receipt names no moment."""
    kind = RunDevice.GPU if receipt.device["kind"] == "cuda" else RunDevice.CPU
    return Run(
        id=_id_of(receipt),
        experiment=receipt.experiment,
        parameters=receipt.device["parameters"] | {"device": kind.value},
        source=RunSource.IMPORTED,
        state=RunState.DONE,
        requested_at=receipt.started_at or receipt.finished_at or now,
        started_at=receipt.started_at,
        finished_at=receipt.finished_at,
        content_hash=receipt.sha256,
    )


def _measured_here(session: Session, receipt: Receipt) -> Run | None:
    """The run of which this is the receipt, where it is one of this copy's own."""
    alike = select(Run).where(
        Run.source != RunSource.IMPORTED,
        Run.experiment == receipt.experiment,
        Run.state == RunState.DONE,
        Run.finished_at == receipt.finished_at,
    )
    for run in session.scalars(alike):
        if receipt_of(run, events_of(session, run.id)).sha256 == receipt.sha256:
            return run
    return None


def _id_of(receipt: Receipt) -> str:
    return f"imported-{receipt.sha256[:ID_DIGITS]}"
