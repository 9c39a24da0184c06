"""Go on training the judge's upper layers, on a CPU, with the lower ones' work done once.

    python -m tests.checking.training.refine START.pt VOCAB OUT.pt [--answers N] [--epochs N]

The lower layers are frozen, so what they make of each answer is computed once
and kept; only the upper layers and the heads are trained. Good for taking in
new fragments and answers without a GPU; train.py makes the weights to start from.
"""

import argparse
import random
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from app.domain.checking.wordpiece import END, START, WordPiece
from tests.checking.markup import LABELS
from tests.checking.training.compose import compose, load_pool
from tests.checking.training.lines import seen_lines
from tests.checking.training.model import Judge
from tests.checking.training.train import FRAGMENTS, Example, encode, loss_of

FROZEN = 4  # of six layers
DRAWN = 2  # statements for each label at each step


@dataclass(frozen=True, slots=True)
class Kept:
    """What the frozen layers made of a text [t, width], and its labels."""

    states: Tensor
    example: Example


class Upper(torch.nn.Module):
    """The layers that go on learning, from the kept states to directions."""

    def __init__(self, judge: Judge) -> None:
        super().__init__()
        self.layers = judge.encoder.layers[FROZEN:]
        self.token, self.claim = judge.token, judge.claim

    def forward(self, states: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """As Judge.forward, from kept states [b, t, width]."""
        blocked = (1.0 - mask[:, None, None, :]) * -1e4
        for layer in self.layers:
            states = layer(states, blocked)
        share = mask[:, :, None]
        return self.token(states), self.claim((states * share).sum(1) / share.sum(1))


@torch.no_grad()
def keep(judge: Judge, ids: list[Tensor]) -> list[Tensor]:
    """The frozen layers' states of each text, in batches of similar length."""
    order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
    kept: list[Tensor] = [torch.empty(0)] * len(ids)
    for start in range(0, len(order), 32):
        chosen = order[start : start + 32]
        padded, mask = _padded([ids[i] for i in chosen])
        states = _lower(judge, padded, mask)
        for row, i in enumerate(chosen):
            kept[i] = states[row, : len(ids[i])].half()
    return kept


def _lower(judge: Judge, ids: Tensor, mask: Tensor) -> Tensor:
    encoder = judge.encoder
    states = encoder.norm(encoder.words(ids) + encoder.places.weight[: ids.shape[1]] + encoder.kind)
    for layer in encoder.layers[:FROZEN]:
        states = layer(states, (1.0 - mask[:, None, None, :]) * -1e4)
    return states


def _padded(rows: list[Tensor]) -> tuple[Tensor, Tensor]:
    pad = torch.nn.utils.rnn.pad_sequence
    mask = pad([torch.ones(len(row)) for row in rows], batch_first=True)
    return pad(rows, batch_first=True), mask


def refine(args: argparse.Namespace) -> None:
    """Compose answers, keep their lower states, train the rest, save all as 16-bit floats."""
    torch.manual_seed(0)
    rng = random.Random(args.seed)
    words = WordPiece(args.vocab)
    pool = load_pool(FRAGMENTS, seen_lines())
    judge = Judge()
    judge.load_state_dict({n: t.float() for n, t in torch.load(args.start).items()})
    judge.eval()
    examples = [encode(compose(pool, rng), words) for _ in range(args.answers)]
    kept = [
        Kept(states, example)
        for states, example in zip(keep(judge, [e.ids for e in examples]), examples, strict=True)
    ]
    said = [_statements(judge, words, [c.text for c in pool.claims[label]]) for label in LABELS]
    print(f"kept {len(kept)} answers", flush=True)
    upper = Upper(judge).train()
    parameters = [*upper.parameters(), judge.bias]
    optimiser = torch.optim.AdamW(parameters, lr=args.rate, weight_decay=0.01)
    steps = args.epochs * (len(kept) // args.batch)
    schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.02, steps)
    for step in range(steps):
        batch = rng.sample(kept, args.batch)
        loss = _loss(judge, upper, batch, [rng.sample(rows, DRAWN) for rows in said])
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimiser.step()
        schedule.step()
        if step % 25 == 0:
            print(f"step {step} of {steps}  loss {loss.item():.4f}", flush=True)
        if step % 100 == 99:
            torch.save({n: t.half() for n, t in judge.state_dict().items()}, args.out)
    torch.save({n: t.half() for n, t in judge.state_dict().items()}, args.out)


def _statements(judge: Judge, words: WordPiece, texts: list[str]) -> list[Tensor]:
    ids = [torch.tensor([START, *(piece.id for piece in words.pieces(t)), END]) for t in texts]
    return keep(judge, ids)


def _loss(judge: Judge, upper: Upper, batch: list[Kept], said: list[list[Tensor]]) -> Tensor:
    states, mask = _padded([k.states.float() for k in batch])
    pad = torch.nn.utils.rnn.pad_sequence
    labels = pad([k.example.labels for k in batch], batch_first=True)
    weights = pad([k.example.weights for k in batch], batch_first=True)
    whole = torch.stack([k.example.whole for k in batch])
    counts = torch.stack([k.example.counts for k in batch])
    tokens, _ = upper(states, mask)
    _, each = upper(*_padded([row.float() for rows in said for row in rows]))
    claims = each.view(len(LABELS), DRAWN, -1).mean(1)
    return loss_of(judge.scores(tokens, claims), mask, (labels, weights, whole, counts))


def main() -> None:
    """Read the command line and refine."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("start", type=Path)
    parser.add_argument("vocab", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--answers", type=int, default=4500)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--seed", type=int, default=11)
    refine(parser.parse_args())


if __name__ == "__main__":
    main()
