"""The second sign: a small network that compares the answer's words with a claim's sentences.

It is all-MiniLM-L6-v2 (Apache-2.0), fine-tuned so that the words of an answer
that make a claim point the same way as sentences that make it (see
tests/checking/training). A claim is nothing but sentences, so a new card needs
no new weights. Runs on one CPU thread; reads text, runs none of it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.domain.checking.wordpiece import END, START, Piece, WordPiece

FOLDER = Path(__file__).parents[3] / "content" / "network"

_WINDOW, _STRIDE = 220, 150  # pieces read at once, and from one window to the next
_SUREST = 3  # tokens whose mean is the answer's score
_EVIDENCE = 0.35  # probability down to which neighbours of the surest token belong to it
_BRIDGE = 3  # less probable pieces in a row that don't end the evidence

_SENTENCE_END = re.compile(r"[.!?;](?=\s)|\n")

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Claim:
    """What to look for: a name, and sentences that say it."""

    name: str
    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sighting:
    """How probable it is that the answer makes a claim, and its likeliest words [start, end)."""

    probability: float
    start: int
    end: int


class Network:
    """A loaded network; the same answer and claims give the same sightings."""

    def __init__(self, folder: Path = FOLDER) -> None:
        runtime: Any = import_module("onnxruntime")  # slow to import, and only needed here
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False  # keeps the process small
        self._session: Any = runtime.InferenceSession(
            str(folder / "network.onnx"), options, providers=["CPUExecutionProvider"]
        )
        self._words = WordPiece(folder / "vocab.txt")
        self._directions = lru_cache(maxsize=64)(self._read_claims)

    def look(self, answer: str, claims: tuple[Claim, ...]) -> dict[str, Sighting]:
        """A sighting for every claim; none where the answer has no words at all."""
        pieces = self._words.pieces(answer)
        if not pieces:
            return {}
        scores = self._scores(pieces, self._directions(claims))
        sentences = _sentences(answer, pieces)
        return {
            claim.name: _sighting(scores[:, i], pieces, sentences) for i, claim in enumerate(claims)
        }

    def _read_claims(self, claims: tuple[Claim, ...]) -> Floats:
        """Each claim's direction [claims, d]: the mean over its statements."""
        return np.stack([self._direction(claim) for claim in claims])

    def _direction(self, claim: Claim) -> Floats:
        read = [self._run(self._words.pieces(text)[:_WINDOW])[1] for text in claim.statements]
        return np.mean(read, axis=0)

    def _scores(self, pieces: list[Piece], directions: Floats) -> Floats:
        """Logits [pieces, claims]; where windows overlap, the higher one."""
        scores = np.full((len(pieces), len(directions)), -np.inf, dtype=np.float32)
        for at in _windows(len(pieces)):
            tokens, _ = self._run(pieces[at : at + _WINDOW])
            part = scores[at : at + _WINDOW]
            np.maximum(part, tokens @ directions.T, out=part)
        return scores

    def _run(self, pieces: list[Piece]) -> tuple[Floats, Floats]:
        """Directions of the pieces [t, d] and of the text as a statement [d]."""
        ids = np.array([[START, *(piece.id for piece in pieces), END]], dtype=np.int64)
        feed = {"ids": ids, "mask": np.ones(ids.shape, dtype=np.float32)}
        tokens, claims = self._session.run(None, feed)
        return tokens[0, 1:-1], claims[0]


@lru_cache(maxsize=1)
def the_network() -> Network:
    """The network that the project ships, loaded once."""
    return Network()


def _windows(length: int) -> Iterator[int]:
    yield 0
    yield from range(_STRIDE, length - (_WINDOW - _STRIDE), _STRIDE)


def _sentences(answer: str, pieces: list[Piece]) -> NDArray[np.int64]:
    """Which sentence each piece lies in, counted from 0."""
    ends = [match.start() + 1 for match in _SENTENCE_END.finditer(answer)]
    return np.searchsorted(ends, [piece.start for piece in pieces], side="right")


def _sighting(scores: Floats, pieces: list[Piece], sentences: NDArray[np.int64]) -> Sighting:
    surest = np.sort(scores)[-_SUREST:].mean(keepdims=True)
    chances = _chance(scores)
    peak = int(scores.argmax())
    chances[sentences != sentences[peak]] = 0
    first, last = _around(chances, peak)
    return Sighting(round(float(_chance(surest)[0]), 4), pieces[first].start, pieces[last].end)


def _chance(logits: Floats) -> Floats:
    return (1 / (1 + np.exp(-np.clip(logits, -30, 30)))).astype(np.float32)


def _around(chances: Floats, peak: int) -> tuple[int, int]:
    """The pieces around the peak that belong to it: the first and the last."""
    floor = min(_EVIDENCE, float(chances[peak]) / 2)
    first = peak - _reach(chances[:peak][::-1] >= floor)
    return first, peak + _reach(chances[peak + 1 :] >= floor)


def _reach(belongs: NDArray[np.bool_]) -> int:
    """How far the true values go, gaps of at most `_BRIDGE` included."""
    reach = 0
    for step, belonging in enumerate(belongs.tolist(), start=1):
        if belonging:
            reach = step
        elif step - reach > _BRIDGE:
            break
    return reach
