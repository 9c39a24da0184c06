"""Train the judge on a GPU, by the clock: one trunk, then several branches in one pass.

    python -m tests.checking.training.branches START.npz VOCAB CLAIMS.json OUT --seconds 150

1. The *trunk* learns from the fragments and other subjects, not from a whole answer.
2. Four *folds* go on from it, each without a quarter of the seen answers, and
   read just those: what the checker's bars are chosen by. Two more branches
   learn from all of them.
3. The branches are averaged ('model soups', Wortsman et al. 2022). As they come
   from one trunk, their mean is better than the best of them.

With `--further` START is the mean of an earlier training (see export.py), and
six branches go on from it with all answers; then there is nothing to read.

The words' embeddings stay as they are: what the answers don't mention keeps its
meaning. Writes OUT/soup.npz, all but the embeddings as 16-bit floats, and
OUT/read.npz, the token scores of every seen answer by the fold that lacks it.
"""

import argparse
import signal
import time
from collections.abc import Iterator
from dataclasses import astuple
from itertools import chain
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from tests.checking.markup import LABELS
from tests.checking.training.feeding import BRANCHES, WITHOUT, Makers, fold_of
from tests.checking.training.lines import seen_lines
from tests.checking.training.losses import loss_of, spread
from tests.checking.training.model import Judge
from tests.checking.training.packed import Batch
from tests.checking.training.reading import read
from tests.checking.training.stacked import SHARED, State, directions, scores, stacked, unstacked

_TRUNK = 0.25  # share of the time that the trunk takes


class Stopped(Exception):
    """The time is up."""


def _stop(_signal: int, _frame: object) -> None:
    raise Stopped


def train(
    states: list[State], made: Iterator[Batch], end: float, rate: float, log: Path
) -> list[State]:
    """Train the stacked states until the clock says `end`; the weights they end with."""
    made = _waited_for(made)
    begin = time.monotonic()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    weights = {n: t.to(device) for n, t in stacked(states).items()}
    learned = {n: t.requires_grad_() for n, t in weights.items() if n != SHARED}
    faster = 10 if len(states) == 1 else 3
    encoder = [t for n, t in learned.items() if n.startswith("encoder")]
    heads = [t for n, t in learned.items() if not n.startswith("encoder")]
    groups = [{"params": encoder, "by": 1}, {"params": heads, "by": faster}]
    optimiser = torch.optim.AdamW(groups, lr=rate, fused=device.type == "cuda")
    step = 0
    try:
        while (now := time.monotonic()) < end:
            for group in optimiser.param_groups:
                group["lr"] = group["by"] * rate * _slope((now - begin) / (end - begin))
            loss = _loss(weights, next(made), device)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(learned.values(), len(states) ** 0.5)
            optimiser.step()
            step += 1
            if step % 50 == 0:
                _tell(log, f"{len(states)} step {step} {loss.item() / len(states):.4f}")
    except Stopped:
        _tell(log, "stopped early")
    _tell(log, f"{len(states)} made {step} steps")
    return unstacked(weights)


def _waited_for(made: Iterator[Batch]) -> Iterator[Batch]:
    """The same batches, once the first is there: until then no time counts."""
    return chain([next(made)], made)


def _loss(weights: State, batch: Batch, device: torch.device) -> Tensor:
    """The sum of the stacked networks' losses."""
    ids, bits, whole, counts, placed, said = (
        torch.from_numpy(part).to(device, non_blocking=True) for part in astuple(batch)
    )
    with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
        tokens, each = directions(weights, ids, said)
    claims = each.float().unflatten(1, (len(LABELS), -1)).mean(2)
    logits = scores(weights, tokens, claims)
    return loss_of(logits, (ids > 0).float(), *map(spread, (bits, whole, counts, placed)))


def _tell(log: Path, line: str) -> None:
    with log.open("a") as file:
        file.write(f"{time.monotonic() % 10_000:.1f} {line}\n")


def _slope(gone: float) -> float:
    """Warm up over the first twentieth of the time, then fall to nothing."""
    return min(0.02 + gone / 0.05, max(0.0, (1 - gone) / 0.95))


def started(path: Path) -> State:
    """The published encoder from an .npz of 8-bit rows and their scales; fresh heads."""
    torch.manual_seed(0)
    state = Judge().state_dict()
    with np.load(path) as rows:
        for name in {key.removesuffix(".scale") for key in rows.files}:
            tensor = torch.from_numpy(rows[name].astype(np.float32))
            if f"{name}.scale" in rows.files:
                tensor *= torch.from_numpy(rows[f"{name}.scale"].astype(np.float32))[:, None]
            state[name] = tensor
    return state


def soup(states: list[State]) -> State:
    """The mean of several weights."""
    return {name: torch.stack([s[name] for s in states]).mean(0) for name in states[0]}


def save(state: State, path: Path) -> None:
    """All but the words' embeddings, as 16-bit floats."""
    np.savez(path, **{n: t.half().numpy() for n, t in state.items() if n != SHARED})


def run(args: argparse.Namespace) -> None:
    """The trunk, the branches, their mean, and what the folds read."""
    begun = time.monotonic()
    end, log = begun + args.seconds, args.out / "log.txt"
    first = Makers("trunk", size=2 * args.batch, vocab=args.vocab, many=args.makers, seed=1_000)
    second = Makers("folds", size=args.batch, vocab=args.vocab, many=args.makers, seed=2_000)
    turn = begun + _TRUNK * args.seconds
    trunk = train([started(args.start)], first.batches(), turn, args.rate, log)
    first.end()
    states = train(trunk * BRANCHES, second.batches(), end, args.rate, log)
    second.end()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    save(soup(states), args.out / "soup.npz")
    lines, found = seen_lines(), {}
    for state, without in zip(states, WITHOUT, strict=True):
        if without is not None:
            left_out = [line for line in lines if fold_of(line) == without]
            found |= read(state, left_out, args.claims, args.vocab)
    np.savez_compressed(args.out / "read.npz", **found)
    _tell(log, f"done after {time.monotonic() - begun:.0f} s")


def further(args: argparse.Namespace) -> None:
    """Branches that go on from whole weights, with every answer; their mean."""
    end = time.monotonic() + args.seconds
    makers = Makers("further", size=args.batch, vocab=args.vocab, many=args.makers, seed=3_000)
    start = [started(args.start)] * BRANCHES
    states = train(start, makers.batches(), end, args.rate, args.out / "log.txt")
    makers.end()
    save(soup(states), args.out / "soup.npz")


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("start", type=Path)
    parser.add_argument("vocab", type=Path)
    parser.add_argument("claims", type=Path, help="the card's sentences for each label, as JSON")
    parser.add_argument("out", type=Path)
    parser.add_argument("--seconds", type=float, default=150, help="of training, all in all")
    parser.add_argument("--batch", type=int, default=64, help="answers for each network")
    parser.add_argument("--makers", type=int, default=9, help="processes that compose answers")
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--further", action="store_true", help="go on from whole weights")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, _stop)
    further(args) if args.further else run(args)


if __name__ == "__main__":
    main()
