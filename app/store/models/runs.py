"""The tables of runs: what was asked for, what it printed, what was expected, who works."""

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.domain.running import RunSource, RunState
from app.store.models.base import Base, word
from app.store.types import IntPk, JsonObject, JsonObjectOrNone, LongText, Moment, ShortText


class Run(Base):
    """One run of a benchmark, asked for by a learner or read from a recording."""

    __tablename__ = "run"
    __table_args__ = (
        Index("ix_run_state_requested_at", "state", "requested_at"),
        Index("ix_run_learner_id_requested_at", "learner_id", "requested_at"),
        Index(
            "ix_run_learner_id_experiment_finished_at", "learner_id", "experiment", "finished_at"
        ),
    )

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
    """What a learner expected of a run before seeing it; of a recorded run each says their own.

    `after_seeing` is of one who had been shown another result of the same case.
    `quantity` is the kind of the experiment's question, which says what of the rest is there:
    low and high, a choice, or {item: option}, where no match at all means 'just show me'.
    """

    __tablename__ = "prediction"
    __table_args__ = (
        UniqueConstraint("run_id", "learner_id"),
        Index("ix_prediction_learner_id_made_at", "learner_id", "made_at"),
    )

    id: Mapped[IntPk] = mapped_column(init=False)
    run_id: Mapped[str] = mapped_column(ForeignKey("run.id"))
    learner_id: Mapped[int] = mapped_column(ForeignKey("learner.id"))
    quantity: Mapped[ShortText]
    made_at: Mapped[Moment]
    low: Mapped[float | None] = mapped_column(default=None)
    high: Mapped[float | None] = mapped_column(default=None)
    choice: Mapped[ShortText | None] = mapped_column(default=None)
    matches: Mapped[JsonObjectOrNone] = mapped_column(default=None)
    after_seeing: Mapped[bool] = mapped_column(default=False)


class Sight(Base):
    """A case of an experiment of which a learner was shown a result; `case` is a digest of it."""

    __tablename__ = "sight"

    learner_id: Mapped[int] = mapped_column(ForeignKey("learner.id"), primary_key=True)
    case: Mapped[ShortText] = mapped_column(primary_key=True)
    seen_at: Mapped[Moment]


class Worker(Base):
    """A worker process that has been seen: where, on what device, and when last."""

    __tablename__ = "worker"

    id: Mapped[ShortText] = mapped_column(primary_key=True)
    device: Mapped[JsonObject]
    started_at: Mapped[Moment]
    seen_at: Mapped[Moment]
