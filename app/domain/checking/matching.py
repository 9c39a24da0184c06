"""Where a compiled cue stands in an answer: its parts in turn, near enough, in one sentence."""

import re
from bisect import bisect_left
from dataclasses import dataclass

from app.domain.checking.words import BREAK, PAUSE, Text

GAPS = {"..": 4, "...": 12, "&": 40}  # sign between two parts -> most words that lie between them

Known = dict[str, list[tuple[int, int]]]  # a part's source -> where it stands in a text


@dataclass(frozen=True, slots=True)
class Hit:
    """A cue found: its parts as word ranges, in the order in which they stand."""

    parts: tuple[tuple[int, int], ...]

    @property
    def first(self) -> int:
        """The index of the first word."""
        return self.parts[0][0]

    @property
    def last(self) -> int:
        """The index after the last word."""
        return self.parts[-1][1]

    def gaps(self) -> list[int]:
        """The indices of the words between the parts."""
        between = zip(self.parts, self.parts[1:], strict=False)
        return [i for (_, end), (start, _) in between for i in range(end, start)]


@dataclass(frozen=True, slots=True)
class Cue:
    """A compiled cue: searched-for parts, and how many words may lie before each."""

    source: str
    parts: tuple[re.Pattern[str], ...]
    gaps: tuple[int, ...]
    any_order: bool

    def find(self, text: Text, known: Known | None = None) -> list[Hit]:
        """Every place where the cue stands, first by position; linear in the text.

        `known` remembers where parts stand in this text: cues share their concepts.
        """
        known = {} if known is None else known
        found = [_places(part, text, known) for part in self.parts]
        if self.any_order:
            return _together(found, text)
        return _in_order(found, self.gaps, text)


def _places(part: re.Pattern[str], text: Text, known: Known) -> list[tuple[int, int]]:
    if part.pattern not in known:
        known[part.pattern] = _searched(part, text)
    return known[part.pattern]


def _searched(part: re.Pattern[str], text: Text) -> list[tuple[int, int]]:
    return [
        (text.word_at(m.start()), text.word_at(m.end()))
        for m in part.finditer(text.joined)
        if m.end() > m.start()
    ]


def _in_order(found: list[list[tuple[int, int]]], gaps: tuple[int, ...], text: Text) -> list[Hit]:
    chains = [(place,) for place in found[0]]
    for places, gap in zip(found[1:], gaps, strict=True):
        chains = [
            (*chain, place)
            for chain in chains
            if (place := _next(places, chain[-1][1], gap, text)) is not None
        ]
    return [Hit(chain) for chain in chains]


def _next(
    places: list[tuple[int, int]], after: int, gap: int, text: Text
) -> tuple[int, int] | None:
    """The first place that starts within `gap` words and the same sentence."""
    at = bisect_left(places, (after, after))
    if at == len(places):
        return None
    place = places[at]
    stops = (BREAK, PAUSE) if gap == GAPS[".."] else (BREAK,)
    near = place[0] - after <= gap and _clear(text, after, place[0], stops)
    return place if near else None


def _together(found: list[list[tuple[int, int]]], text: Text) -> list[Hit]:
    if len(found) != 2:
        return []
    pairs = [sorted((a, b)) for a in found[0][:64] for b in found[1][:64]]
    near = [
        (a, b)
        for a, b in pairs
        if a[1] <= b[0] <= a[1] + GAPS["&"] and _clear(text, a[1], b[0], (BREAK,))
    ]
    return [Hit((a, b)) for a, b in near]


def _clear(text: Text, first: int, last: int, stops: tuple[str, ...]) -> bool:
    return all(word.text not in stops for word in text.words[first:last])
