"""The workers that there are: those heard of lately, and what can be run on them."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from app.domain.running import RunDevice
from app.store.models import Worker


def is_alive(now: datetime, lost_after: timedelta) -> ColumnElement[bool]:
    """The condition that a worker was heard of within `lost_after`."""
    return Worker.seen_at >= now - lost_after


def alive(session: Session, now: datetime, lost_after: timedelta) -> list[Worker]:
    """The workers that were heard of within `lost_after`."""
    return list(session.scalars(select(Worker).where(is_alive(now, lost_after))))


def lost(session: Session, now: datetime, lost_after: timedelta) -> list[str]:
    """The names of those that have been silent for longer."""
    return list(session.scalars(select(Worker.id).where(~is_alive(now, lost_after))))


def able(workers: Iterable[Worker], device: RunDevice) -> list[Worker]:
    """Those of `workers` that take runs for this kind of device."""
    return [worker for worker in workers if device.value in worker.device["serves"]]


def said_of_no_gpu(workers: Iterable[Worker]) -> str | None:
    """What the first of `workers` that looked for a GPU in vain found instead, in a sentence."""
    said = (worker.device.get("no_gpu") or worker.device.get("trouble") for worker in workers)
    return next((str(words) for words in said if words), None)
