"""The second sign: a small network that compares the answer's words with a claim's sentences.

It is all-MiniLM-L6-v2 (Apache-2.0), fine-tuned so that the words of an answer
that make a claim point the same way as sentences that make it (see
tests/checking/training). A claim is nothing but sentences, so a new card needs
no new weights. Runs on one CPU thread; reads text, runs none of it.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from app.domain.checking import spans
from app.domain.checking.session import Floats, Session
from app.domain.checking.sighting import NOWHERE, Claim, Sighting
from app.domain.checking.weights import FOLDER, whole
from app.domain.checking.wordpiece import END, START, Piece, WordPiece

_WINDOW, _STRIDE = 220, 150  # pieces read at once, and from one window to the next
_LOOKS = 12  # sentences that are read again, alone, at most
_ALONE = 1.25  # logit from which what is read alone is believed
_DOUBT = -0.01  # logit that it has at most if it isn't
_FAMILIAR = 1.0  # logit that a claim's sentences get by its other ones if the network knows it


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim's sentence as read: its tokens [t, d], and its own direction [d]."""

    tokens: Floats
    said: Floats


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
        directions = np.stack(list(familiar.values()))
        own = spans.sentences(answer, pieces)
        scores = self._scores(pieces, own, directions)
        closer = self._closer(scores, pieces, own, directions)
        return {
            name: spans.sighting(scores[:, i], closer[:, i], pieces, own)
            for i, name in enumerate(familiar)
        }

    def _claims(self, claims: tuple[Claim, ...]) -> dict[str, Floats]:
        """The directions [d] of the claims that the network is familiar with, by name."""
        run = [[self._run(self._words.pieces(s)[:_WINDOW]) for s in c.statements] for c in claims]
        read = [[Statement(tokens, said) for tokens, said in texts] for texts in run]
        named = zip((claim.name for claim in claims), _directions(read), strict=True)
        return {name: direction for name, direction in named if direction is not None}

    def _scores(self, pieces: list[Piece], own: list[slice], directions: Floats) -> Floats:
        """Logits [pieces, claims]; where windows overlap, the higher one."""
        scores = np.full((len(pieces), len(directions)), -np.inf, dtype=np.float32)
        for window in _windows(len(pieces), own):
            tokens, _ = self._run(pieces[window])
            np.maximum(scores[window], tokens @ directions.T, out=scores[window])
        return scores

    def _closer(
        self, scores: Floats, pieces: list[Piece], own: list[slice], directions: Floats
    ) -> Floats:
        """The scores, higher where a sentence read alone is surer of a claim.

        What stands around a sentence must not take from it what it says.
        """
        unseen = spans.surest(scores) < 0
        closer = scores.copy()
        for part, glimpsed in _worth_a_look(scores, own, unseen):
            alone = self._scores(pieces[part], [], directions)
            believed = np.where(spans.surest(alone) >= _ALONE, alone, np.minimum(alone, _DOUBT))
            closer[part] = np.where(glimpsed, np.maximum(scores[part], believed), scores[part])
        return closer

    def _run(self, pieces: list[Piece]) -> tuple[Floats, Floats]:
        """Directions of the pieces [t, d] and of the text as a statement [d]."""
        tokens, claims = self._session.run([START, *(piece.id for piece in pieces), END])
        return tokens[0, 1:-1], claims[0]


@lru_cache(maxsize=1)
def the_network() -> Network:
    """The network that the project ships, loaded once."""
    return Network()


def _worth_a_look(
    scores: Floats, own: list[slice], unseen: NDArray[np.bool_]
) -> list[tuple[slice, NDArray[np.bool_]]]:
    """The sentences with a glimpse of claims that aren't seen yet, and which; the surest few."""
    levels = [np.where(unseen, spans.surest(scores[part]), -np.inf) for part in own]
    glimpsed = [i for i, level in enumerate(levels) if level.max() >= spans.GLIMPSE]
    few = sorted(glimpsed, key=lambda i: -levels[i].max())[:_LOOKS] if len(own) > 1 else []
    return [(own[i], levels[i] >= spans.GLIMPSE) for i in few]


def _directions(claims: list[list[Statement]]) -> list[Floats | None]:
    """The direction [d] of each claim, the mean over its statements; None for a strange one.

    A claim of a subject that the network knows is recognised in each of its
    sentences by its other ones. Where that fails the network has nothing to say.
    """
    return [_direction(texts) if _familiar(texts) else None for texts in claims]


def _direction(texts: list[Statement]) -> Floats:
    return np.mean([s.said for s in texts], axis=0)


def _familiar(texts: list[Statement]) -> bool:
    seen = [float(spans.surest(s.tokens @ _without(texts, s))) for s in texts]
    return float(np.mean(seen)) > _FAMILIAR


def _without(texts: list[Statement], left_out: Statement) -> Floats:
    others = [s.said for s in texts if s is not left_out] or [left_out.said]
    return np.mean(others, axis=0)


def _windows(length: int, own: list[slice]) -> Iterator[slice]:
    """What is read at once: the whole sentences that fit, or overlapping parts of a long one."""
    ends = [part.stop for part in own]
    at = 0
    while length - at > _WINDOW:
        whole = bisect_right(ends, at + _WINDOW)
        end = ends[whole - 1] if whole and ends[whole - 1] > at else None
        yield slice(at, end or at + _WINDOW)
        at = end or at + _STRIDE
    yield slice(at, length)
