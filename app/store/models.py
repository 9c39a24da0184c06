"""The tables. Relations are never followed lazily: a page states what it loads.

A card is one row: its parts are addressed by the stable ids in the card file,
so what a learner did refers to them by those ids and survives every edit.
"""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Enum, ForeignKey, Index, MetaData, UniqueConstraint, text
from sqlalchemy.orm import (
    DeclarativeBase,
    Mapped,
    MappedAsDataclass,
    mapped_column,
    relationship,
)

from app.domain.checking.findings import Kind, State
from app.domain.practice import Dispute
from app.domain.running import RunSource, RunState
from app.store.types import IntPk, JsonList, JsonObject, LongText, Moment, ShortText

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


def word(kind: type[StrEnum]) -> Enum:
    """A column that holds one of an enumeration's words, as text, with no CHECK to migrate."""
    return Enum(
        kind,
        native_enum=False,
        create_constraint=False,
        length=20,
        values_callable=_values,
    )


def _values(members: type[StrEnum]) -> list[str]:
    return [member.value for member in members]


class Base(MappedAsDataclass, DeclarativeBase):
    """What every table shares."""

    metadata = MetaData(naming_convention=NAMES)


class CardRow(Base):
    """A question card as imported: what to list it by, and the whole card in `body`."""

    __tablename__ = "card"

    id: Mapped[IntPk] = mapped_column(init=False)
    slug: Mapped[ShortText] = mapped_column(unique=True)
    title: Mapped[ShortText]
    topic: Mapped[ShortText]
    content_hash: Mapped[ShortText]
    body: Mapped[JsonObject]
    imported_at: Mapped[Moment]
    retired_at: Mapped[Moment | None] = mapped_column(default=None)


class Learner(Base):
    """Someone who practises, known by the key in a signed cookie."""

    __tablename__ = "learner"

    id: Mapped[IntPk] = mapped_column(init=False)
    key: Mapped[ShortText] = mapped_column(unique=True)
    created_at: Mapped[Moment]


class Attempt(Base):
    """One rehearsal of a card: begun, drafted, handed in, looked back on, checked."""

    __tablename__ = "attempt"
    __table_args__ = (
        Index("ix_attempt_learner_id_card_id_started_at", "learner_id", "card_id", "started_at"),
        Index(
            "uq_attempt_open",
            "learner_id",
            "card_id",
            unique=True,
            sqlite_where=text("handed_in_at IS NULL AND abandoned_at IS NULL"),
            postgresql_where=text("handed_in_at IS NULL AND abandoned_at IS NULL"),
        ),
    )

    id: Mapped[IntPk] = mapped_column(init=False)
    learner_id: Mapped[int] = mapped_column(ForeignKey("learner.id"))
    card_id: Mapped[int] = mapped_column(ForeignKey("card.id"))
    content_hash: Mapped[ShortText]
    tier: Mapped[ShortText]
    target_seconds: Mapped[int]
    started_at: Mapped[Moment]
    draft: Mapped[LongText] = mapped_column(default="")
    draft_saved_at: Mapped[Moment | None] = mapped_column(default=None)
    clock_stopped_at: Mapped[Moment | None] = mapped_column(default=None)
    answer: Mapped[LongText | None] = mapped_column(default=None)
    handed_in_at: Mapped[Moment | None] = mapped_column(default=None)
    abandoned_at: Mapped[Moment | None] = mapped_column(default=None)
    claimed: Mapped[JsonList] = mapped_column(default_factory=list)
    sureness: Mapped[ShortText | None] = mapped_column(default=None)
    reviewed_at: Mapped[Moment | None] = mapped_column(default=None)
    checked_at: Mapped[Moment | None] = mapped_column(default=None)
    check_trouble: Mapped[LongText | None] = mapped_column(default=None)
    checked_by: Mapped[ShortText | None] = mapped_column(default=None)
    check_note: Mapped[LongText | None] = mapped_column(default=None)

    findings: Mapped[list["FindingRow"]] = relationship(
        lazy="raise", order_by="FindingRow.id", init=False, default_factory=list
    )
    card: Mapped[CardRow] = relationship(lazy="raise", init=False)


class FindingRow(Base):
    """What the check concluded on one key point or pitfall, and what the learner says to it."""

    __tablename__ = "finding"
    __table_args__ = (UniqueConstraint("attempt_id", "kind", "ref"),)

    id: Mapped[IntPk] = mapped_column(init=False)
    attempt_id: Mapped[int] = mapped_column(ForeignKey("attempt.id"))
    kind: Mapped[Kind] = mapped_column(word(Kind))
    ref: Mapped[ShortText]
    state: Mapped[State] = mapped_column(word(State))
    start: Mapped[int | None]
    end: Mapped[int | None]
    signs: Mapped[JsonList]
    dispute: Mapped[Dispute | None] = mapped_column(word(Dispute), default=None)
    disputed_at: Mapped[Moment | None] = mapped_column(default=None)


class Reveal(Base):
    """A part of a card that was opened: in an attempt, or only to study."""

    __tablename__ = "reveal"
    __table_args__ = (
        Index(
            "uq_reveal_in_attempt",
            "attempt_id",
            "part",
            unique=True,
            sqlite_where=text("attempt_id IS NOT NULL"),
            postgresql_where=text("attempt_id IS NOT NULL"),
        ),
        Index(
            "uq_reveal_in_study",
            "learner_id",
            "card_id",
            "part",
            unique=True,
            sqlite_where=text("attempt_id IS NULL"),
            postgresql_where=text("attempt_id IS NULL"),
        ),
    )

    id: Mapped[IntPk] = mapped_column(init=False)
    learner_id: Mapped[int] = mapped_column(ForeignKey("learner.id"))
    card_id: Mapped[int] = mapped_column(ForeignKey("card.id"))
    attempt_id: Mapped[int | None] = mapped_column(ForeignKey("attempt.id"))
    part: Mapped[ShortText]
    opened_at: Mapped[Moment]
    tried: Mapped[LongText | None] = mapped_column(default=None)


class Run(Base):
    """One run of a benchmark, asked for by a learner or read from a recording."""

    __tablename__ = "run"
    __table_args__ = (Index("ix_run_state_requested_at", "state", "requested_at"),)

    id: Mapped[ShortText] = mapped_column(primary_key=True)
    experiment: Mapped[ShortText]
    parameters: Mapped[JsonObject]
    source: Mapped[RunSource] = mapped_column(word(RunSource))
    state: Mapped[RunState] = mapped_column(word(RunState))
    requested_at: Mapped[Moment]
    learner_id: Mapped[int | None] = mapped_column(ForeignKey("learner.id"), default=None)
    deadline_at: Mapped[Moment | None] = mapped_column(default=None)
    started_at: Mapped[Moment | None] = mapped_column(default=None)
    finished_at: Mapped[Moment | None] = mapped_column(default=None)
    worker: Mapped[ShortText | None] = mapped_column(default=None)
    trouble_kind: Mapped[ShortText | None] = mapped_column(default=None)
    trouble: Mapped[LongText | None] = mapped_column(default=None)
    content_hash: Mapped[ShortText | None] = mapped_column(default=None)

    events: Mapped[list["RunEvent"]] = relationship(
        lazy="raise", order_by="RunEvent.seq", init=False, default_factory=list
    )
    predictions: Mapped[list["Prediction"]] = relationship(
        lazy="raise", init=False, default_factory=list
    )


class RunEvent(Base):
    """One line that the benchmark printed, numbered from 0 within its run."""

    __tablename__ = "run_event"

    run_id: Mapped[str] = mapped_column(ForeignKey("run.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[Moment]
    body: Mapped[JsonObject]


class Prediction(Base):
    """What a learner expected of a run before seeing it; of a recorded run each says their own."""

    __tablename__ = "prediction"
    __table_args__ = (UniqueConstraint("run_id", "learner_id"),)

    id: Mapped[IntPk] = mapped_column(init=False)
    run_id: Mapped[str] = mapped_column(ForeignKey("run.id"))
    learner_id: Mapped[int] = mapped_column(ForeignKey("learner.id"))
    quantity: Mapped[ShortText]
    value: Mapped[float]
    made_at: Mapped[Moment]


class Worker(Base):
    """A worker process that has been seen: where, on what device, and when last."""

    __tablename__ = "worker"

    id: Mapped[ShortText] = mapped_column(primary_key=True)
    device: Mapped[JsonObject]
    started_at: Mapped[Moment]
    seen_at: Mapped[Moment]


MODELS: tuple[type[Any], ...] = (
    CardRow, Learner, Attempt, FindingRow, Reveal, Run, RunEvent, Prediction, Worker,
)  # fmt: skip


def is_open(attempt: Attempt) -> bool:
    """Whether the attempt still takes an answer."""
    return attempt.handed_in_at is None and attempt.abandoned_at is None


def answer_seconds(attempt: Attempt, now: datetime) -> float:
    """Seconds spent answering: up to the first reveal, the hand-in, or now.

    Never below 0, even where the server's clock was set back meanwhile.
    """
    ended = attempt.clock_stopped_at or attempt.handed_in_at or attempt.abandoned_at or now
    return max(0.0, (ended - attempt.started_at).total_seconds())


def study_seconds(attempt: Attempt, now: datetime) -> float:
    """Seconds spent with the ladder open before the attempt ended; 0 where nothing was opened."""
    if attempt.clock_stopped_at is None:
        return 0.0
    ended = attempt.handed_in_at or attempt.abandoned_at or now
    return max(0.0, (ended - attempt.clock_stopped_at).total_seconds())
