"""A question card: the values that every other part of the program speaks of.

Nothing here reads a file, a database or a clock. `text` fields are plain
text as the author wrote it; `html` fields were rendered and sanitised once,
when the card was read, and may be shown as they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

from app.domain.rubric import Concept, KeyPoint, Pitfall

TierId = Literal["basics", "solid", "deep"]
LevelId = Literal["junior", "mid", "senior", "staff"]


@dataclass(frozen=True, slots=True)
class Prose:
    """One passage, as plain text (for the checker) and as safe HTML (for pages)."""

    text: str
    html: str


@dataclass(frozen=True, slots=True)
class Tier:
    """An answer of a certain length: what it says, and in how many seconds.

    `asks` holds the ids of the key points that an answer of this length owes.
    The deep tier has no model answer of its own: its text is the four levels.
    """

    id: TierId
    title: str
    target_seconds: int
    asks: tuple[str, ...]
    answer: Prose | None


@dataclass(frozen=True, slots=True)
class Level:
    """What one level of seniority must show in the deep tier."""

    id: LevelId
    body: Prose


@dataclass(frozen=True, slots=True)
class Section:
    """One heading of the long explanation."""

    id: str
    heading: str
    body: Prose


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A question an interviewer asks next; `answer` stays hidden until tried."""

    id: str
    question: str
    answer: Prose


@dataclass(frozen=True, slots=True)
class Claim:
    """A quantitative claim of the card and the experiment that tries it.

    `made_in` names the rungs of the ladder, and the sections of the explanation, that make it.
    """

    id: str
    text: str
    experiment: str
    made_in: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Topic:
    """What a card is filed under; `position` is its place on the home page, from 0."""

    id: str
    title: str
    position: int


@dataclass(frozen=True, slots=True)
class Card:
    """A whole card; `content_hash` is the SHA-256 of the file it came from."""

    slug: str
    title: str
    topic: Topic
    prompt: Prose
    five_lines: tuple[str, ...]
    tiers: tuple[Tier, ...]
    levels: tuple[Level, ...]
    sections: tuple[Section, ...]
    follow_ups: tuple[FollowUp, ...]
    picture: Prose
    key_points: tuple[KeyPoint, ...]
    pitfalls: tuple[Pitfall, ...]
    claims: tuple[Claim, ...]
    content_hash: str
    concepts: tuple[Concept, ...] = ()

    def tier(self, tier_id: str) -> Tier:
        """The tier with this id; KeyError names the ids there are."""
        return _by_id(self.tiers, tier_id)

    def key_point(self, key_point_id: str) -> KeyPoint:
        """The key point with this id; KeyError names the ids there are."""
        return _by_id(self.key_points, key_point_id)

    def pitfall(self, pitfall_id: str) -> Pitfall:
        """The pitfall with this id; KeyError names the ids there are."""
        return _by_id(self.pitfalls, pitfall_id)


class _Part(Protocol):
    @property
    def id(self) -> str: ...


P = TypeVar("P", bound=_Part)


def _by_id(parts: Sequence[P], wanted: str) -> P:
    for part in parts:
        if part.id == wanted:
            return part
    raise KeyError(f"{wanted!r} is none of {', '.join(part.id for part in parts)}")
