"""WordPiece, as BERT's uncased vocabulary wants it, with the characters of each piece.

Greedy longest match, as in Devlin et al. 2018; written out here because the
whole of it is shorter than the dependency would be.
"""

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

PAD, UNKNOWN, START, END = 0, 100, 101, 102

_WORD = re.compile(r"[^\W_]+|[^\w\s]|_")
_LONGEST_WORD = 100  # characters; a longer word is unknown, as in the original


@dataclass(frozen=True, slots=True)
class Piece:
    """A vocabulary id and the text's characters [start, end) that it stands for."""

    id: int
    start: int
    end: int


class WordPiece:
    """A vocabulary; `pieces` cuts any text, in time linear in its length."""

    def __init__(self, vocabulary: Path) -> None:
        words = vocabulary.read_text(encoding="utf-8").split("\n")
        self._ids = {word: index for index, word in enumerate(words) if word}

    def pieces(self, text: str) -> list[Piece]:
        """The pieces of a text, without the start and end marks."""
        return [piece for match in _WORD.finditer(text) for piece in self._word(match)]

    def _word(self, match: re.Match[str]) -> list[Piece]:
        start, end = match.span()
        plain = _plain(match.group())
        if len(plain) != end - start:
            return [Piece(self._ids.get(plain, UNKNOWN), start, end)] if plain else []
        return self._greedy(plain, start)

    def _greedy(self, word: str, start: int) -> list[Piece]:
        if len(word) > _LONGEST_WORD:
            return [Piece(UNKNOWN, start, start + len(word))]
        pieces: list[Piece] = []
        at = 0
        while at < len(word):
            piece = self._longest(word, at)
            if piece is None:
                return [Piece(UNKNOWN, start, start + len(word))]
            pieces.append(Piece(piece[0], start + at, start + piece[1]))
            at = piece[1]
        return pieces

    def _longest(self, word: str, at: int) -> tuple[int, int] | None:
        prefix = "##" if at else ""
        for end in range(len(word), at, -1):
            found = self._ids.get(prefix + word[at:end])
            if found is not None:
                return found, end
        return None


def _plain(word: str) -> str:
    """Lower case, without accents."""
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFD", word.lower())
    return "".join(c for c in decomposed if unicodedata.category(c) != "Mn")
