"""An answer as words that can be compared, each tied to the characters it came from.

'HBM', 'H.B.M.' and a transcriber's 'h b m' become the same word; '3×', '3x' and
'three times' become the same two. Nothing is ever taken from the answer but
its characters: the words are for comparing, the spans for showing.
"""

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field

from app.domain.checking.spellings import FILLERS, JARGON, NUMBERS, PHRASES

BREAK = ";"  # a word of its own where a sentence ends; no pattern reaches across it
PAUSE = ","  # where a clause may end: comma, colon, dash, bracket

_PIECE = re.compile(
    r"(?P<dotted>(?:[^\W\d_]\.){2,})"  # H.B.M.
    r"|(?P<number>\d+(?:[.,]\d+)*)"
    r"|(?P<word>[^\W\d_]+(?:['’ʼ`´][^\W\d_]+)*)"
    r"|(?P<break>[.!?;…]+(?=\s|$|[)\]\"'”’])|\n)"
    r"|(?P<pause>[,:()\[\]{}—–]|--|(?<=\s)-(?=\s))"
    r"|(?P<sign>->|=>|[×÷→⇒↓↑%/*=&<>≈~+])"
)
_SIGNS = {
    "×": "times", "*": "times", "%": "percent", "→": "to", "⇒": "to", "->": "to", "=>": "to",
    "↓": "falls", "↑": "rises", "÷": "per",
    "/": "per", "&": "and", "=": "is", "+": "and", "<": "under", ">": "over",
}  # fmt: skip
_APOSTROPHES = re.compile(r"['’ʼ`´]")
_LONGEST_PHRASE = max(len(phrase) for phrase in PHRASES)


@dataclass(frozen=True, slots=True)
class Word:
    """A comparable word and the answer's characters [start, end) behind it."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Text:
    """The words of an answer and the same joined by spaces, for searching.

    `starts[i]` is where word i begins in `joined`.
    """

    words: tuple[Word, ...]
    joined: str
    starts: tuple[int, ...] = field(repr=False)

    def word_at(self, position: int) -> int:
        """The index of the first word that begins at or after `position` in `joined`."""
        return bisect_left(self.starts, position)

    def words_of(self, start: int, end: int) -> tuple[int, int]:
        """The words [first, last) that stand in the answer's characters [start, end)."""
        first = bisect_right(self.words, start, key=lambda word: word.end)
        return first, max(first, bisect_left(self.words, end, key=lambda word: word.start))

    def span(self, first: int, last: int) -> tuple[int, int]:
        """The answer's characters from word `first` up to, not including, word `last`."""
        return self.words[first].start, self.words[last - 1].end


def read(answer: str) -> Text:
    """Cut an answer into comparable words. Any text is accepted; the empty one has none."""
    words = tuple(
        _join_phrases([word for match in _PIECE.finditer(answer) for word in _spell(match)])
    )
    starts: list[int] = []
    position = 0
    for word in words:
        starts.append(position)
        position += len(word.text) + 1
    return Text(words, "".join(word.text + " " for word in words), tuple(starts))


def normalise(phrase: str) -> str:
    """A phrase as `read` would spell it, words separated by single spaces."""
    return read(phrase).joined.strip()


def _spell(match: re.Match[str]) -> list[Word]:
    start, end = match.span()
    kind, text = match.lastgroup, match.group().lower()
    if kind == "break":
        return [Word(BREAK, start, end)]
    if kind == "pause":
        return [Word(PAUSE, start, end)]
    if kind == "sign":
        return [Word(_SIGNS[text], start, end)] if text in _SIGNS else []
    if kind == "dotted":
        text = text.replace(".", "")
    text = _APOSTROPHES.sub("", text)
    if text in FILLERS:
        return []
    if match.group().endswith(("'s", "’s")):
        text = text.removesuffix("s")
    return [Word(NUMBERS.get(text, JARGON.get(text, text)), start, end)]


def _join_phrases(words: list[Word]) -> list[Word]:
    """Replace known runs of words by the one they stand for, the longest run first."""
    joined: list[Word] = []
    at = 0
    while at < len(words):
        length, target = _phrase_at(words, at)
        last = words[at + length - 1]
        joined.extend(Word(text, words[at].start, last.end) for text in target.split())
        at += length
    return joined


def _phrase_at(words: list[Word], at: int) -> tuple[int, str]:
    for length in range(min(_LONGEST_PHRASE, len(words) - at), 1, -1):
        target = PHRASES.get(tuple(word.text for word in words[at : at + length]))
        if target is not None:
            return length, target
    return 1, words[at].text
