"""The small language in which a card says how a claim may be worded.

    fewer|less .. {flops}      one of the words, at most 4 words between, no comma
    {matmul} ... speed* up     `...` allows 12 words between; `*` ends a stem
    {backward} & {traffic}     both in one sentence, in either order

`{name}` is one of the card's concepts: a list of such fragments. A cue never
reaches across the end of a sentence. Words are compared as
app/domain/checking/words.py spells them, so 'HBM' also finds 'h b m'.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache

from app.domain.card import Concept
from app.domain.checking.words import BREAK, PAUSE, Text, normalise

_GAPS = {"..": 4, "...": 12, "&": 40}
_INNER_GAP = rf"(?:[^\s{BREAK}]+ ){{0,3}}?"  # '..' inside a concept: at most 3 words
_CONCEPT = re.compile(r"\{([\w-]+)\}")
_LEGAL = re.compile(r"^[\w*|{}()?'’×%/.&→~ +:,<>=-]+$")


Known = dict[str, list[tuple[int, int]]]  # a part's source -> where it stands in a text


class CueError(ValueError):
    """A cue that cannot be read; the message says which and why."""


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


@lru_cache(maxsize=4096)
def compile_cue(source: str, concepts: tuple[Concept, ...]) -> Cue:
    """Read one cue. CueError for an unknown concept, a stray sign or a cue without words."""
    if not _LEGAL.match(source) or not source.strip():
        raise CueError(f"cue {source!r}: use words, |, *, ?, {{concept}}, .., ... and & only")
    pieces = re.split(r"\s+(\.\.\.?|&)\s+", source.strip())
    signs = pieces[1::2]
    any_order = "&" in signs
    if any_order and len(set(signs)) > 1:
        raise CueError(f"cue {source!r}: & cannot be mixed with .. or ...")
    table = {concept.name: concept for concept in concepts}
    parts = tuple(re.compile(r"(?<!\S)" + _part(piece, source, table, ())) for piece in pieces[::2])
    return Cue(source, parts, tuple(_GAPS[sign] for sign in signs), any_order)


def _part(piece: str, source: str, table: dict[str, Concept], seen: tuple[str, ...]) -> str:
    return "".join(_element(element, source, table, seen) for element in piece.split())


def _element(element: str, source: str, table: dict[str, Concept], seen: tuple[str, ...]) -> str:
    if element == "..":
        return _INNER_GAP
    if element in ("...", "&") or ".." in element:
        raise CueError(f"cue {source!r}: spaces around signs; a concept may use '..' alone")
    optional = element.endswith("?")
    choices = [_choice(c, source, table, seen) for c in element.removesuffix("?").split("|")]
    return f"(?:{'|'.join(choices)})" + ("?" if optional else "")


def _choice(choice: str, source: str, table: dict[str, Concept], seen: tuple[str, ...]) -> str:
    named = _CONCEPT.fullmatch(choice)
    if named is None:
        return _word(choice, source)
    name = named.group(1)
    if name not in table:
        raise CueError(f"cue {source!r}: no concept {{{name}}}; there are {', '.join(table)}")
    if name in seen:
        raise CueError(f"cue {source!r}: concept {{{name}}} refers to itself")
    phrases = sorted(table[name].phrases, key=len, reverse=True)
    return "|".join(_part(phrase, source, table, (*seen, name)) for phrase in phrases)


def _word(choice: str, source: str) -> str:
    stem = choice.endswith("*")
    spelled = re.escape(normalise(choice.removesuffix("*")))
    if not spelled:
        raise CueError(f"cue {source!r}: {choice!r} is no word")
    return spelled + (r"\S* " if stem else " ")


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
    stops = (BREAK, PAUSE) if gap == _GAPS[".."] else (BREAK,)
    near = place[0] - after <= gap and _clear(text, after, place[0], stops)
    return place if near else None


def _together(found: list[list[tuple[int, int]]], text: Text) -> list[Hit]:
    if len(found) != 2:
        return []
    pairs = [sorted((a, b)) for a in found[0][:64] for b in found[1][:64]]
    near = [
        (a, b)
        for a, b in pairs
        if a[1] <= b[0] <= a[1] + _GAPS["&"] and _clear(text, a[1], b[0], (BREAK,))
    ]
    return [Hit((a, b)) for a, b in near]


def _clear(text: Text, first: int, last: int, stops: tuple[str, ...]) -> bool:
    return all(word.text not in stops for word in text.words[first:last])
