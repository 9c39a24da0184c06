"""What is looked for in an answer, where it was seen, and what is made of it on a second look."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Claim:
    """What to look for: a name, and sentences that say it."""

    name: str
    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sighting:
    """How probable it is that the answer makes a claim, and its likeliest words [start, end).

    `sentences` are the sightings in single sentences, the surest first.
    """

    probability: float
    start: int
    end: int
    sentences: tuple["Sighting", ...] = ()


NOWHERE = Sighting(0.0, 0, 0)


@dataclass(frozen=True, slots=True)
class Verdict:
    """How probable it is that words, read together with a claim, make it or reject it."""

    says: float
    denies: float


UNREAD = Verdict(0.0, 0.0)
