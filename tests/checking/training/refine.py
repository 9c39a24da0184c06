"""Go on training the network with answers that it hasn't seen.

    python -m tests.checking.training.refine NETWORK.pt OUT.pt --seconds 2700

NETWORK is what shipped.py reads, or a mean that start.py put together. As
`branches --further` does on a GPU, with one branch and by its running mean.
"""

import random
from dataclasses import astuple
from typing import Any

import torch
from torch import Tensor

from app.domain.checking.weights import FOLDER
from tests.checking.markup import LABELS
from tests.checking.training.by_clock import arguments, fix, loaded, made_ahead, train
from tests.checking.training.compose import load_pool
from tests.checking.training.feeding import FRAGMENTS, OTHERS
from tests.checking.training.lines import seen_lines
from tests.checking.training.losses import loss_of, spread
from tests.checking.training.model import Judge
from tests.checking.training.packed import Batch, Cutter, batches
from tests.checking.training.subjects import load_subjects

FIXED = 1  # layers, from the first, that stay as they are


def make(seed: int, size: int, queue: Any) -> None:
    """Put batches into the queue until this process is ended."""
    torch.set_num_threads(1)
    pool, cutter = load_pool(FRAGMENTS, seen_lines()), Cutter(FOLDER / "vocab.txt")
    for batch in batches([pool], load_subjects(OTHERS), cutter, random.Random(seed), size):
        queue.put(batch)


def lost(judge: Judge, batch: Batch) -> Tensor:
    """What one network, instead of several stacked, loses by a batch."""
    ids, bits, whole, counts, placed, said = map(torch.from_numpy, astuple(batch))
    with torch.autocast("cpu", torch.bfloat16):
        tokens, _ = judge(ids[0], (ids[0] > 0).float())
        _, each = judge(said[0], (said[0] > 0).float())
    claims = each.float().unflatten(0, (len(LABELS), -1)).mean(1)
    logits = judge.scores(tokens.float(), claims)[None]
    return loss_of(logits, (ids > 0).float(), *map(spread, (bits, whole, counts, placed)))


def main() -> None:
    """Read the command line and train."""
    args = arguments(__doc__)
    torch.set_num_threads(2)
    judge = Judge()
    judge.load_state_dict(loaded(args.start))
    fix(judge.encoder, FIXED)
    judge.train()
    train(judge, lambda batch: lost(judge, batch), made_ahead(make, args), args)


if __name__ == "__main__":
    main()
