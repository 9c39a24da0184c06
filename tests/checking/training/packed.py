"""Composed answers as padded arrays, fast: batches of similar length, labels as bits.

A word is cut into pieces once for each process; an answer's labels are sixteen
bits for each piece. So a few processor cores feed a GPU.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.domain.checking.wordpiece import END, START, WordPiece
from tests.checking.markup import LABELS, Segment
from tests.checking.training.augment import reworded
from tests.checking.training.compose import Composed, Pool, compose
from tests.checking.training.subjects import Subject, batch_of

LENGTH = 224  # pieces; longer answers are cut in training and windowed in use
STATEMENTS = 5  # drawn for each label in each batch
_BLOCK = 8  # batches that are sorted by length together
_OTHERS = 0.15  # share of the batches that are on other subjects
_MASK = 103  # BERT's own mark for a hidden piece
_HIDDEN = 0.04  # share of the pieces that are hidden, in a third of the answers
_KEPT_WORDS = ("not", "no", "never", "t", "don", "doesn", "isn", "won", "but", "wrong", "nothing")

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Batch:
    """Ids and label bits of pieces [m, b, t], a piece without id being padding; bits [m, b].

    One row of answers for each of m networks. `whole` are the labels that an
    answer carries, `counts` those that may be learned from it, `placed` those of
    which the words are marked. `said` [m, labels * drawn, t] are the sentences
    that stand for the labels.
    """

    ids: Ints
    bits: Ints
    whole: Ints
    counts: Ints
    placed: Ints
    said: Ints


class Cutter:
    """WordPiece with a memory, for texts whose places don't matter."""

    def __init__(self, vocabulary: Path) -> None:
        self._words = WordPiece(vocabulary)
        self._known: dict[str, list[int]] = {}
        self.kept = {i for word in _KEPT_WORDS for i in self.ids(word)}

    def ids(self, text: str) -> list[int]:
        """The text's piece ids, without start and end."""
        return [i for word in text.split() for i in self._word(word)]

    def _word(self, word: str) -> list[int]:
        if word not in self._known:
            self._known[word] = [piece.id for piece in self._words.pieces(word)]
        return self._known[word]


Row = tuple[list[int], list[int], int, int, int]


def batches(
    pools: Sequence[Pool],
    others: tuple[Subject, ...],
    cutter: Cutter,
    rng: random.Random,
    size: int,
) -> Iterator[Batch]:
    """Batches without end, of `size` answers for each pool, some of them on other subjects."""
    while True:
        sorted_rows = [_block(pool, cutter, rng, size) for pool in pools]
        starts = list(range(0, size * _BLOCK, size))
        rng.shuffle(starts)
        for start in starts:
            said = [_drawn(pool, rng) for pool in pools]
            yield _padded([rows[start : start + size] for rows in sorted_rows], said, cutter)
            if rng.random() < _OTHERS:
                yield _other(pools, others, cutter, rng, size)


def bits_of(labels: frozenset[str]) -> int:
    """Labels as a number: bit i for LABELS[i]."""
    return sum(1 << i for i, label in enumerate(LABELS) if label in labels)


def text_of(segments: tuple[Segment, ...]) -> str:
    """The answer itself."""
    return "".join(segment.text for segment in segments)


def padded(rows: Sequence[Sequence[int]]) -> Ints:
    """Ids as rows [n, t] of equal length."""
    out = np.zeros((len(rows), max(map(len, rows))), dtype=np.int64)
    for at, row in enumerate(rows):
        out[at, : len(row)] = row
    return out


def statement_ids(texts: Sequence[str], cutter: Cutter) -> Ints:
    """Sentences as padded ids [n, t]."""
    return padded([[START, *cutter.ids(text)[: LENGTH - 2], END] for text in texts])


def _block(pool: Pool, cutter: Cutter, rng: random.Random, size: int) -> list[Row]:
    rows = (
        _row(reworded_sometimes(compose(pool, rng), rng), cutter, rng) for _ in range(size * _BLOCK)
    )
    return sorted(rows, key=lambda row: len(row[0]))


def _drawn(pool: Pool, rng: random.Random) -> list[str]:
    """Sentences for every label, drawn anew: the network must compare meanings."""
    return [c.text for label in LABELS for c in rng.sample(pool.claims[label], STATEMENTS)]


def _other(
    pools: Sequence[Pool],
    others: tuple[Subject, ...],
    cutter: Cutter,
    rng: random.Random,
    size: int,
) -> Batch:
    made = [batch_of(others, pool.wrappers, size, rng) for pool in pools]
    rows = [[_row(answer, cutter, rng) for answer in answers] for answers, _ in made]
    return _padded(rows, [said for _, said in made], cutter)


def reworded_sometimes(made: Composed, rng: random.Random) -> Composed:
    """The same answer, more often than not with some words swapped for their equals."""
    if rng.random() < 0.6:
        return Composed(reworded(made.segments, rng), made.maybe, made.unplaced)
    return made


def _row(made: Composed, cutter: Cutter, rng: random.Random) -> Row:
    ids, bits = [START], [0]
    for segment in made.segments:
        pieces = cutter.ids(segment.text)
        ids += pieces
        bits += [bits_of(segment.labels)] * len(pieces)
    ids, bits = [*ids[: LENGTH - 1], END], [*bits[: LENGTH - 1], 0]
    whole = bits_of(made.unplaced)
    for bit in set(bits):
        whole |= bit
    every = (1 << len(LABELS)) - 1
    counts = every & ~bits_of(made.maybe)
    return hidden(ids, cutter, rng), bits, whole, counts, counts & ~bits_of(made.unplaced)


def hidden(ids: list[int], cutter: Cutter, rng: random.Random) -> list[int]:
    """Some pieces hidden, but no negation and neither end."""
    if rng.random() > 1 / 3:
        return ids
    return [
        _MASK if i not in cutter.kept and i > END and rng.random() < _HIDDEN else i for i in ids
    ]


def _padded(rows: list[list[Row]], said: list[list[str]], cutter: Cutter) -> Batch:
    size = len(rows[0])
    every = [row for own in rows for row in own]
    ids, bits = padded([row[0] for row in every]), padded([row[1] for row in every])
    of_answers = (np.array([row[i] for row in every]).reshape(-1, size) for i in (2, 3, 4))
    sentences = statement_ids([text for texts in said for text in texts], cutter)
    return Batch(
        ids.reshape(len(rows), size, -1),
        bits.reshape(len(rows), size, -1),
        *of_answers,
        said=sentences.reshape(len(rows), len(said[0]), -1),
    )
