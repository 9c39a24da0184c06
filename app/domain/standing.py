"""Where a learner stands on a card, and what to practise next."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from app.domain.card import TierId
from app.domain.practice import tone

Key = TypeVar("Key")
TIERS: tuple[TierId, ...] = ("basics", "solid", "deep")


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer that was handed in: how long it took and what its check found."""

    attempt_id: int
    tier: str
    target_seconds: int
    seconds: float
    handed_in: datetime
    tripped: int | None = None  # pitfalls that count; None while no check has been shown
    covered: int = 0  # of the points that its tier asks for, once the check has been shown
    asked: int = 0

    @property
    def holds(self) -> bool:
        """Whether it was in time, covers most of what its tier asks for and trips no pitfall."""
        in_time = tone(self.seconds, self.target_seconds) == "in time"
        return in_time and self.tripped == 0 and 2 * self.covered > self.asked


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a learner stands on one card; `last` is None before the first answer."""

    in_time: tuple[str, ...] = ()
    last: Answered | None = None
    answering: bool = False

    @property
    def best(self) -> str | None:
        """The longest tier of which an answer in time held."""
        return self.in_time[-1] if self.in_time else None


def standing(answers: Iterable[Answered], *, answering: bool = False) -> Standing:
    """The standing that these answers to one card add up to."""
    known = sorted(answers, key=lambda answer: answer.handed_in)
    done = {answer.tier for answer in known if answer.holds}
    in_time = tuple(tier for tier in TIERS if tier in done)
    return Standing(in_time, known[-1] if known else None, answering)


def next_to_practise(standings: Mapping[Key, Standing], order: Sequence[Key]) -> Key | None:
    """What to practise next, of `order`; earlier wins among equals.

    First a card that is being answered, then one never answered, then one whose
    last answer tripped a pitfall, then the one left alone for longest.
    """
    return min(order, key=lambda key: _urgency(standings[key]), default=None)


def _urgency(standing: Standing) -> tuple[int, float]:
    if standing.answering:
        return (0, 0.0)
    if standing.last is None:
        return (1, 0.0)
    return (2 if standing.last.tripped else 3, standing.last.handed_in.timestamp())
