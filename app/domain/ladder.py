"""The ladder of a card: the parts that are opened one at a time, from basics to the five lines."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from app.domain.card import Card, Claim, Level, LevelId, Prose, Tier
from app.domain.rubric import KeyPoint

Kind = Literal[
    "tier", "level", "explanation", "claims", "follow-up", "picture", "pitfalls", "five-lines"
]

_LEVEL, _FOLLOW_UP = "level-", "follow-up-"  # what the ids of their rungs begin with
_LEVEL_NAMES: dict[LevelId, str] = {
    "junior": "Junior",
    "mid": "Mid",
    "senior": "Senior",
    "staff": "Staff",
}


@dataclass(frozen=True, slots=True)
class Rung:
    """One part of the ladder: `id` names it in addresses and is kept with what was opened.

    `ref` is the id of the card's part that it shows; `aside` is a short word
    beside the label, such as how long the answer takes.
    """

    id: str
    kind: Kind
    label: str
    ref: str = ""
    aside: str = ""


def rungs(card: Card) -> tuple[Rung, ...]:
    """Every rung of this card's ladder, in order."""
    return (
        *(_tier(tier) for tier in card.tiers if tier.answer is not None),
        *(_level(level) for level in card.levels),
        Rung("explanation", "explanation", "The long explanation"),
        *([Rung("claims", "claims", "Run the claim")] if card.claims else []),
        *_follow_ups(card),
        Rung("picture", "picture", "The picture"),
        Rung("pitfalls", "pitfalls", "Pitfalls"),
        Rung("five-lines", "five-lines", "In five lines"),
    )


def explaining(levels: Iterable[str], follow_ups: Iterable[str]) -> tuple[str, ...]:
    """The ids of the rungs that can explain a pitfall, for these levels and follow-ups."""
    return (
        "basics",
        "solid",
        *(_LEVEL + level for level in levels),
        "explanation",
        *(_FOLLOW_UP + follow_up for follow_up in follow_ups),
        "picture",
    )


def claims_in(card: Card, rung_id: str) -> tuple[Claim, ...]:
    """The claims that this rung makes: where it shows them, all; else those made in it."""
    if rung_id == "claims":
        return card.claims
    sections = [section.id for section in card.sections] if rung_id == "explanation" else []
    places = {rung_id, *sections}
    return tuple(claim for claim in card.claims if places & set(claim.made_in))


def rung_of(card: Card, rung_id: str | None) -> Rung | None:
    """The rung with this id; None where this card has none."""
    return next((rung for rung in rungs(card) if rung.id == rung_id), None)


def teaching(card: Card, point: KeyPoint) -> Rung | None:
    """The rung to read for a key point: the shortest model answer that holds it.

    Of a point that only the deep answer owes, what explains the pitfall it opposes, else the
    long explanation.
    """
    answers = (tier.id for tier in card.tiers if tier.answer and point.id in tier.asks)
    opposed = (one.explained_in for one in card.pitfalls if one.id == point.opposes)
    return rung_of(card, next((id_ for id_ in (*answers, *opposed) if id_), "explanation"))


def prose_of(card: Card, rung: Rung) -> Prose | None:
    """The passage that a tier's or a level's rung shows."""
    if rung.kind == "tier":
        return card.tier(rung.ref).answer
    return next((level.body for level in card.levels if level.id == rung.ref), None)


def _tier(tier: Tier) -> Rung:
    return Rung(tier.id, "tier", tier.title, tier.id, f"{tier.target_seconds} s")


def _level(level: Level) -> Rung:
    return Rung(_LEVEL + level.id, "level", _LEVEL_NAMES[level.id], level.id)


def _follow_ups(card: Card) -> list[Rung]:
    total = len(card.follow_ups)
    return [
        Rung(_FOLLOW_UP + follow_up.id, "follow-up", f"Follow-up {n} of {total}", follow_up.id)
        for n, follow_up in enumerate(card.follow_ups, start=1)
    ]
