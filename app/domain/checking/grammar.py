"""The first judge: a card's cues, found in the answer and weighed by who says them.

Every pitfall and the key point that opposes it lie on one axis: to deny 'fewer
FLOPs' is to say 'the same arithmetic'. An answer's last word on an axis wins.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

from app.domain.card import Card
from app.domain.checking.cues import compile_cue
from app.domain.checking.likeness import alike, weights
from app.domain.checking.matching import Cue, Hit, Known
from app.domain.checking.mentions import Mention, turned
from app.domain.checking.stance import (
    Stance,
    is_hedged,
    is_of_another_case,
    is_struck,
    is_word_list,
    sentence_around,
    stance,
)
from app.domain.checking.words import Text, read
from app.domain.rubric import Concept, KeyPoint, Pitfall

_NEAR = 10  # words of the same sentence around a claim in which its subject must be named

Range = tuple[int, int]  # words [first, last)
Look = Callable[[tuple[str, ...]], tuple[Mention, ...]]  # cues -> what they find in the answer


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer's words and what the cues found for every id, in order of place.

    `subjects` are the word ranges in which a pitfall's subject is named.
    """

    text: Text
    pitfalls: dict[str, tuple[Mention, ...]]
    key_points: dict[str, tuple[Mention, ...]]
    subjects: dict[str, tuple[Range, ...]]

    def is_cued(self, ref: str, start: int, end: int) -> bool:
        """Whether a cue of the pitfall lies in the answer's characters [start, end)."""
        first, last = self.text.words_of(start, end)
        return any(m.first < last and m.last > first for m in self.pitfalls[ref])

    def is_struck(self, start: int, end: int) -> bool:
        """Whether the answer's characters [start, end) are only there to be thrown out."""
        return is_struck(self.text, *self.text.words_of(start, end))

    def lacks(self, ref: str, start: int, end: int) -> bool:
        """Whether the sentence of [start, end) says that another case has no pitfall's subject."""
        first, last = self.text.words_of(start, end)
        none = any(self.text.words[at - 1].text == "no" for at, _ in self.subjects[ref] if at)
        return none and is_of_another_case(self.text, first, last)

    def is_about(self, ref: str, start: int, end: int) -> bool:
        """Whether the answer's characters [start, end), or words near, name a pitfall's subject."""
        first, last = sentence_around(self.text, *self.text.words_of(start, end), _NEAR)
        return any(at < last and until > first for at, until in self.subjects[ref])


def read_answer(answer: str, card: Card) -> Reading:
    """Find every mention of the card's claims in the answer. CueError for a cue it can't read."""
    text = read(answer)
    known: Known = {}
    look = partial(_mentions, text, known, card.concepts)
    pitfalls = {pitfall.id: _on_axis(look, pitfall, card) for pitfall in card.pitfalls}
    key_points = {
        point.id: look(point.cues) + _opposing(point, pitfalls) for point in card.key_points
    }
    _without_cues(text, card, pitfalls, key_points)
    subjects = {
        pitfall.id: _places(pitfall.subject, card.concepts, text, known)
        for pitfall in card.pitfalls
    }
    return Reading(text, pitfalls, key_points, subjects)


def _places(
    cues: tuple[str, ...], concepts: tuple[Concept, ...], text: Text, known: Known
) -> tuple[Range, ...]:
    hits = [hit for cue in _compiled(cues, concepts) for hit in cue.find(text, known)]
    return tuple((hit.first, hit.last) for hit in hits)


def _without_cues(
    text: Text,
    card: Card,
    pitfalls: dict[str, tuple[Mention, ...]],
    key_points: dict[str, tuple[Mention, ...]],
) -> None:
    """Add, for claims that have no cues, where the answer is like their statements."""
    if all(claim.cues for claim in (*card.pitfalls, *card.key_points)):
        return
    tells = weights(card)
    for pitfall in card.pitfalls:
        if not pitfall.cues:
            said = _alike(text, pitfall.asserts, tells)
            denied = _alike(text, pitfall.rejects, tells)
            pitfalls[pitfall.id] += said + tuple(turned(mention) for mention in denied)
    for point in card.key_points:
        if not point.cues:
            opposing = _opposing(point, pitfalls)
            key_points[point.id] += _alike(text, point.asserts, tells) + opposing


def _alike(text: Text, statements: tuple[str, ...], tells: dict[str, float]) -> tuple[Mention, ...]:
    found = alike(text, statements, tells)
    return tuple(Mention(like.stance, like.first, like.last, hedged=False) for like in found)


def _on_axis(look: Look, pitfall: Pitfall, card: Card) -> tuple[Mention, ...]:
    """What is said of a pitfall: its cues, its denials, and the opposing key point's cues."""
    opposing = tuple(c for p in card.key_points if p.opposes == pitfall.id for c in p.cues)
    said = look(pitfall.cues)
    denied = look(pitfall.denials + opposing)
    return said + tuple(turned(m) for m in denied)


def _opposing(point: KeyPoint, pitfalls: dict[str, tuple[Mention, ...]]) -> tuple[Mention, ...]:
    """A pitfall denied is its opposing key point made."""
    on_axis = pitfalls.get(point.opposes or "", ())
    return tuple(turned(m) for m in on_axis if m.stance is Stance.DENIES)


def _mentions(
    text: Text, known: Known, concepts: tuple[Concept, ...], cues: tuple[str, ...]
) -> tuple[Mention, ...]:
    hits = {hit for cue in _compiled(cues, concepts) for hit in cue.find(text, known)}
    claims = [hit for hit in hits if not is_word_list(text, hit)]
    return tuple(_mention(text, hit) for hit in sorted(claims, key=lambda hit: hit.parts))


def _mention(text: Text, hit: Hit) -> Mention:
    return Mention(stance(text, hit), hit.first, hit.last, is_hedged(text, hit))


@lru_cache(maxsize=1024)
def _compiled(cues: tuple[str, ...], concepts: tuple[Concept, ...]) -> tuple[Cue, ...]:
    return tuple(compile_cue(cue, concepts) for cue in cues)
