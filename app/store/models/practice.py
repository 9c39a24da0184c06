"""The tables of practising: cards, learners, attempts, findings, reveals."""

from sqlalchemy import ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.domain.checking.findings import Kind, State
from app.domain.practice import Dispute
from app.store.models.base import Base, word
from app.store.types import IntPk, JsonList, JsonObject, LongText, Moment, ShortText


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
        Index(
            "ix_attempt_checked_at_handed_in_at_abandoned_at",
            "checked_at",
            "handed_in_at",
            "abandoned_at",
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
