"""The small language in which a card says how a claim may be worded.

    fewer|less .. {flops}      one of the words, at most 4 words between, no comma
    {matmul} ... speed* up     `...` allows 12 words between; `*` ends a stem
    {backward} & {traffic}     both in one sentence, in either order

`{name}` is one of the card's concepts: a list of such fragments. A cue never
reaches across the end of a sentence. Words are compared as
app/domain/checking/words.py spells them, so 'HBM' also finds 'h b m'.
"""

import re
from functools import lru_cache

from app.domain.checking.matching import GAPS, Cue
from app.domain.checking.words import BREAK, normalise
from app.domain.rubric import Concept

_INNER_GAP = rf"(?:[^\s{BREAK}]+ ){{0,3}}?"  # '..' inside a concept: at most 3 words
_CONCEPT = re.compile(r"\{([\w-]+)\}")
_LEGAL = re.compile(r"^[\w*|{}()?'’×%/.&→~ +:,<>=-]+$")


class CueError(ValueError):
    """A cue that cannot be read; the message says which and why."""


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
    return Cue(source, parts, tuple(GAPS[sign] for sign in signs), any_order)


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
