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

from app.domain.checking.sighting import NOWHERE, Claim, Sighting
from app.domain.checking.weights import FOLDER, whole
from app.domain.checking.wordpiece import END, START, Piece, WordPiece

_WINDOW, _STRIDE = 220, 150  # pieces read at once, and from one window to the next
_SUREST = 3  # tokens whose mean is the answer's score
_FAMILIAR = 1.0  # logit that a claim's sentences get by its other ones if the network knows it
_EVIDENCE = 0.35  # probability down to which neighbours of the surest token belong to it
_BRIDGE = 3  # less probable pieces in a row that don't end the evidence

_SENTENCE_END = re.compile(r"[.!?;](?=\s)|\n")

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim's sentence as read: its tokens [t, d], and its own direction [d]."""

    tokens: Floats
    said: Floats


class Session:
    """A network's file, loaded to run on one thread; takes one text at a time.

    Trouble where the file is missing or damaged.
    """

    def __init__(self, path: Path) -> None:
        runtime: Any = import_module("onnxruntime")  # slow to import, and only needed here
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False  # keeps the process small
        self._session: Any = runtime.InferenceSession(
            str(whole(path)), options, providers=["CPUExecutionProvider"]
        )

    def run(self, ids: list[int], **shares: list[float]) -> list[Floats]:
        """What the network makes of pieces, and of numbers that belong to each of them."""
        feed = {name: np.array([row], dtype=np.float32) for name, row in shares.items()}
        mask = np.ones((1, len(ids)), dtype=np.float32)
        return self._session.run(
            None, feed | {"ids": np.array([ids], dtype=np.int64), "mask": mask}
        )


class Network:
    """A loaded network; the same answer and claims give the same sightings."""

    def __init__(self) -> None:
        self._session = Session(FOLDER / "network.onnx")
        self._words = WordPiece(whole(FOLDER / "vocab.txt"))
        self._read_claims = lru_cache(maxsize=64)(self._claims)

    def look(self, answer: str, claims: tuple[Claim, ...]) -> dict[str, Sighting]:
        """A sighting for every claim that the network is familiar with."""
        familiar = self._read_claims(claims)
        pieces = self._words.pieces(answer)
        if not familiar or not pieces:
            return dict.fromkeys(familiar, NOWHERE)
        scores = self._scores(pieces, np.stack(list(familiar.values())))
        sentences = _sentences(answer, pieces)
        return {name: _sighting(scores[:, i], pieces, sentences) for i, name in enumerate(familiar)}

    def _claims(self, claims: tuple[Claim, ...]) -> dict[str, Floats]:
        """The directions [d] of the claims that the network is familiar with, by name."""
        run = [[self._run(self._words.pieces(s)[:_WINDOW]) for s in c.statements] for c in claims]
        read = [[Statement(tokens, said) for tokens, said in texts] for texts in run]
        named = zip((claim.name for claim in claims), _directions(read), strict=True)
        return {name: direction for name, direction in named if direction is not None}

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
        tokens, claims = self._session.run([START, *(piece.id for piece in pieces), END])
        return tokens[0, 1:-1], claims[0]


@lru_cache(maxsize=1)
def the_network() -> Network:
    """The network that the project ships, loaded once."""
    return Network()


def _directions(claims: list[list[Statement]]) -> list[Floats | None]:
    """The direction [d] of each claim, the mean over its statements; None for a strange one.

    A claim of a subject that the network knows is recognised in each of its
    sentences by its other ones. Where that fails the network has nothing to say.
    """
    return [_direction(texts) if _familiar(texts) else None for texts in claims]


def _direction(texts: list[Statement]) -> Floats:
    return np.mean([s.said for s in texts], axis=0)


def _familiar(texts: list[Statement]) -> bool:
    return float(np.mean([_surest(s.tokens @ _without(texts, s)) for s in texts])) > _FAMILIAR


def _without(texts: list[Statement], left_out: Statement) -> Floats:
    others = [s.said for s in texts if s is not left_out] or [left_out.said]
    return np.mean(others, axis=0)


def _surest(scores: Floats) -> float:
    return float(np.sort(scores)[-_SUREST:].mean())


def _windows(length: int) -> Iterator[int]:
    yield 0
    yield from range(_STRIDE, length - (_WINDOW - _STRIDE), _STRIDE)


def _sentences(answer: str, pieces: list[Piece]) -> NDArray[np.int64]:
    """Which sentence each piece lies in, counted from 0."""
    ends = [match.start() + 1 for match in _SENTENCE_END.finditer(answer)]
    return np.searchsorted(ends, [piece.start for piece in pieces], side="right")


def _sighting(scores: Floats, pieces: list[Piece], sentences: NDArray[np.int64]) -> Sighting:
    chances = _chance(scores)
    peak = int(scores.argmax())
    chances[sentences != sentences[peak]] = 0
    first, last = _around(chances, peak)
    return Sighting(round(_probability(_surest(scores)), 4), pieces[first].start, pieces[last].end)


def _probability(logit: float) -> float:
    return float(_chance(np.array([logit], dtype=np.float32))[0])


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
