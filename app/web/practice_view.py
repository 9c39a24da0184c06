"""What the page of a card shows to one learner at one moment."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from app.domain import practice
from app.domain.card import Card
from app.domain.practice import Step
from app.store.models import Attempt, Reveal, answer_seconds, study_seconds
from app.web.ladder_view import RungView, rungs_shown
from app.web.result import Result, result_of


@dataclass(frozen=True, slots=True)
class Clock:
    """The timer of an open attempt, in seconds since its start on the server."""

    elapsed: float
    target: int
    running: bool

    @property
    def tone(self) -> practice.Tone:
        """How the time stands against the target."""
        return practice.tone(self.elapsed, self.target)


@dataclass(frozen=True, slots=True)
class Practice:
    """The rehearsal of one card: where it stands, and what its panel and ladder show."""

    slug: str
    card: Card
    step: Step
    now: datetime
    attempt: Attempt | None
    last: Attempt | None
    clock: Clock | None
    result: Result | None
    rungs: tuple[RungView, ...]

    @property
    def seconds(self) -> float:
        """How long the answer took, or has taken so far; 0 before it is begun."""
        return answer_seconds(self.attempt, self.now) if self.attempt else 0.0

    @property
    def studied(self) -> float:
        """Seconds from the first rung opened to the hand-in, told apart from the answer's time."""
        return study_seconds(self.attempt, self.now) if self.attempt else 0.0

    @property
    def address(self) -> str:
        """The address of this page, with nothing opened in it."""
        return f"/questions/{self.slug}"


def practice_of(
    slug: str,
    card: Card,
    latest: Attempt | None,
    reveals: Mapping[str, Reveal],
    *,
    again: bool,
    asked: Collection[str],
    now: datetime,
) -> Practice:
    """The view of this card after the learner's `latest` attempt.

    `again` puts an attempt that was handed in aside, to choose a tier anew;
    `asked` are the parts that the address opens.
    """
    attempt = current(latest, again=again)
    step = _step(attempt)
    return Practice(
        slug=slug,
        card=card,
        step=step,
        now=now,
        attempt=attempt,
        last=latest if attempt is None else None,
        clock=_clock(attempt, now) if attempt and step is Step.ANSWER else None,
        result=result_of(attempt, card) if attempt and step is Step.CHECKED else None,
        rungs=rungs_shown(slug, card, attempt, reveals, asked, again=again),
    )


def current(latest: Attempt | None, *, again: bool) -> Attempt | None:
    """The attempt that the page is about: an open one always, another unless put aside."""
    return None if latest is not None and again and latest.handed_in_at else latest


def _step(attempt: Attempt | None) -> Step:
    if attempt is None:
        return Step.CHOOSE
    return practice.step(attempt.handed_in_at, attempt.reviewed_at, attempt.checked_at)


def _clock(attempt: Attempt, now: datetime) -> Clock:
    running = attempt.clock_stopped_at is None
    return Clock(answer_seconds(attempt, now), attempt.target_seconds, running)
