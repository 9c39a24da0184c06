"""The third sign: a small network that reads a claim and the answer's words together.

It is made as the other network is (see tests/checking/training), but every word
of the claim sees every word of the answer, so it can tell what a 'not' belongs
to, whose claim it is and whether it is taken back. That takes a reading for each
claim, so it is asked only about claims that the other network has a sight of.
"""

import math
from bisect import bisect_left
from functools import lru_cache

from app.domain.checking.session import Session
from app.domain.checking.sighting import Sighting, Verdict
from app.domain.checking.weights import FOLDER, whole
from app.domain.checking.wordpiece import END, START, Piece, WordPiece

_WINDOW = 64  # pieces of the answer that are read, around the sighting
_CLAIM = 40  # pieces of a claim


class Verifier:
    """A loaded network; the same claim, answer and sighting give the same verdict."""

    def __init__(self) -> None:
        self._session = Session(FOLDER / "verifier.onnx")
        words = WordPiece(whole(FOLDER / "vocab.txt"))
        self._pieces = lru_cache(maxsize=32)(words.pieces)  # an answer is read for each claim

    def read(self, claim: str, answer: str, sighting: Sighting) -> Verdict:
        """What the words around the sighting make of the claim."""
        around = _around(self._pieces(answer), sighting)
        head = [START, *(piece.id for piece in self._pieces(claim)[:_CLAIM]), END]
        words = [0.0] * len(head) + [1.0] * len(around) + [0.0]
        ids = [*head, *(piece.id for piece in around), END]
        (logits,) = self._session.run(ids, words=words)
        return _verdict(logits[0].tolist())


@lru_cache(maxsize=1)
def the_verifier() -> Verifier:
    """The verifier that the project ships, loaded once."""
    return Verifier()


def _around(pieces: list[Piece], sighting: Sighting) -> list[Piece]:
    """The pieces to read: all of a short answer, else those around the sighting."""
    middle = bisect_left(pieces, (sighting.start + sighting.end) // 2, key=lambda p: p.start)
    first = max(0, min(middle - _WINDOW // 2, len(pieces) - _WINDOW))
    return pieces[first : first + _WINDOW]


def _verdict(logits: list[float]) -> Verdict:
    """'Says', 'denies' and 'neither' as probabilities; the last is the rest."""
    shares = [math.exp(logit - max(logits)) for logit in logits]
    says, denies, _ = (round(share / sum(shares), 4) for share in shares)
    return Verdict(says, denies)
