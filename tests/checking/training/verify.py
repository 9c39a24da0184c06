"""Train the verifier.

    python -m tests.checking.training.verify START.pt OUT.pt --seconds 1500

START is the network's weights, as shipped.py reads them, or a verifier's.
"""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from app.domain.checking.weights import FOLDER
from tests.checking.training.by_clock import arguments, loaded, made_ahead, train
from tests.checking.training.compose import load_pool
from tests.checking.training.feeding import FRAGMENTS, OTHERS
from tests.checking.training.lines import seen_lines
from tests.checking.training.packed import Cutter, padded
from tests.checking.training.pairs import Pair, pairs
from tests.checking.training.subjects import load_subjects
from tests.checking.training.verifier import Verifier, begun

_BLOCK = 12  # batches sorted by length together


def batches(seed: int, size: int) -> Iterator[list[Pair]]:
    """Batches without end, each of pairs of similar length."""
    rng = random.Random(seed)
    pool = load_pool(FRAGMENTS, seen_lines())
    made = pairs(pool, load_subjects(OTHERS), Cutter(FOLDER / "vocab.txt"), rng)
    while True:
        block = sorted((next(made) for _ in range(size * _BLOCK)), key=lambda pair: len(pair.ids))
        starts = list(range(0, len(block), size))
        rng.shuffle(starts)
        for start in starts:
            yield block[start : start + size]


def fed(batch: list[Pair]) -> tuple[Tensor, Tensor, Tensor]:
    """Ids, mask and the words' places of pairs, as the verifier takes them."""
    ids = padded([pair.ids for pair in batch])
    places = np.arange(ids.shape[1])[None]
    ends = np.array([[len(pair.ids) - 1] for pair in batch])
    words = (places >= np.array([[pair.before] for pair in batch])) & (places < ends)
    return torch.from_numpy(ids), torch.from_numpy(ids > 0).float(), torch.from_numpy(words).float()


def make(seed: int, size: int, queue: Any) -> None:
    """Put batches into the queue until this process is ended."""
    torch.set_num_threads(1)
    for batch in batches(seed, size):
        queue.put(batch)


def loss_of(verifier: Verifier, batch: list[Pair]) -> Tensor:
    """Cross-entropy of the verdicts, none of them believed quite."""
    truth = torch.tensor([pair.verdict for pair in batch])
    with torch.autocast("cpu", torch.bfloat16):
        logits = verifier(*fed(batch))
    return F.cross_entropy(logits.float(), truth, label_smoothing=0.03)


def main() -> None:
    """Read the command line and train."""
    args = arguments(__doc__)
    torch.set_num_threads(2)
    state = loaded(args.start)
    verifier = begun(state)
    if "second" in state:
        verifier.load_state_dict(state)
    verifier.train()
    train(verifier, lambda batch: loss_of(verifier, batch), made_ahead(make, args), args)


if __name__ == "__main__":
    main()
