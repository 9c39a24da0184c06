"""The first judge: a card's cues, found in the answer and weighed by who says them.

Every pitfall and the key point that opposes it lie on one axis: to deny 'fewer
FLOPs' is to say 'the same arithmetic'. An answer's last word on an axis wins.
"""

from dataclasses import dataclass

from app.domain.card import Card, Concept, KeyPoint, Pitfall
from app.domain.checking.cues import Hit, compile_cue
from app.domain.checking.stance import Stance, is_hedged, is_word_list, stance
from app.domain.checking.words import Text, read

SIGN = "grammar"


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where the answer says something on an axis.

    `stance` is the answer's stance to the pitfall (or, without one, to the key
    point); `first` and `last` are word indices.
    """

    stance: Stance
    first: int
    last: int
    hedged: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer's words and what the cues found for every id, in order of place."""

    text: Text
    pitfalls: dict[str, tuple[Mention, ...]]
    key_points: dict[str, tuple[Mention, ...]]


def read_answer(answer: str, card: Card) -> Reading:
    """Find every mention of the card's claims in the answer. CueError for a cue it can't read."""
    text = read(answer)
    pitfalls = {pitfall.id: _on_axis(text, pitfall, card) for pitfall in card.pitfalls}
    key_points = {
        point.id: _mentions(text, point.cues, card.concepts) + _opposing(point, pitfalls)
        for point in card.key_points
    }
    return Reading(text, pitfalls, key_points)


def last_word(mentions: tuple[Mention, ...]) -> Mention | None:
    """The mention that counts: the last that takes a side, else the last at all."""
    sided = [m for m in mentions if m.stance is not Stance.UNSURE]
    return max(sided or mentions, key=lambda m: (m.first, m.last), default=None)


def first_saying(mentions: tuple[Mention, ...]) -> Mention | None:
    """The first mention that makes the point."""
    said = [m for m in mentions if m.stance is Stance.SAYS]
    return min(said, key=lambda m: (m.first, m.last), default=None)


def _on_axis(text: Text, pitfall: Pitfall, card: Card) -> tuple[Mention, ...]:
    """What is said of a pitfall: its cues, its denials, and the opposing key point's cues."""
    opposing = tuple(c for p in card.key_points if p.opposes == pitfall.id for c in p.cues)
    said = _mentions(text, pitfall.cues, card.concepts)
    denied = _mentions(text, pitfall.denials + opposing, card.concepts)
    return _drop_overlapped(said, tuple(_turned(m) for m in denied))


def _drop_overlapped(said: tuple[Mention, ...], denied: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """All mentions but the claims whose words are also part of a denial.

    To miss a pitfall costs a learner less than to be accused of one.
    """
    return tuple(m for m in said if not any(_overlap(d, m) for d in denied)) + denied


def _overlap(one: Mention, other: Mention) -> bool:
    return one.first < other.last and other.first < one.last


def _opposing(point: KeyPoint, pitfalls: dict[str, tuple[Mention, ...]]) -> tuple[Mention, ...]:
    """A pitfall denied is its opposing key point made."""
    on_axis = pitfalls.get(point.opposes or "", ())
    return tuple(_turned(m) for m in on_axis if m.stance is Stance.DENIES)


def _mentions(
    text: Text, cues: tuple[str, ...], concepts: tuple[Concept, ...]
) -> tuple[Mention, ...]:
    hits = {hit for cue in cues for hit in compile_cue(cue, concepts).find(text)}
    claims = [hit for hit in hits if not is_word_list(text, hit)]
    return tuple(_mention(text, hit) for hit in sorted(claims, key=lambda hit: hit.parts))


def _mention(text: Text, hit: Hit) -> Mention:
    return Mention(stance(text, hit), hit.first, hit.last, is_hedged(text, hit))


def _turned(mention: Mention) -> Mention:
    turned = {Stance.SAYS: Stance.DENIES, Stance.DENIES: Stance.SAYS}
    sign = turned.get(mention.stance, mention.stance)
    return Mention(sign, mention.first, mention.last, mention.hedged)
