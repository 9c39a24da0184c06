"""Training on a processor, by the clock: the network goes on from weights that know the subject.

What is kept is the weights' running mean, which generalises better than their
last state. The words' embeddings and the first layers stay as they are: that is
a third of the work, and keeps what no answer mentions.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
import torch.multiprocessing as processes
from torch import Tensor, nn

_EVERY, _NEW = 5, 0.012  # steps from one renewal of the running mean to the next, its least share
_TOLD = 100  # steps from one report to the next
_FASTER = 4  # how much faster the heads learn than the encoder


def arguments(description: str | None) -> argparse.Namespace:
    """What both trainings are told on the command line."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("start", type=Path, help="a .pt of weights to go on from")
    parser.add_argument("out", type=Path)
    parser.add_argument("--seconds", type=float, default=1500)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=8e-5)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def fix(encoder: nn.Module, layers: int) -> None:
    """Keep the encoder's embeddings and its first layers from learning."""
    for name, parameter in encoder.named_parameters():
        parameter.requires_grad_(name.startswith("layers") and int(name.split(".")[1]) >= layers)


def made_ahead(make: Callable[[int, int, Any], None], args: argparse.Namespace) -> Iterator[Any]:
    """Batches that another process puts into a queue ahead of the training."""
    context = processes.get_context("spawn")
    queue = context.Queue(16)
    maker = context.Process(target=make, args=(args.seed, args.batch, queue), daemon=True)
    maker.start()
    try:
        while True:
            yield queue.get(timeout=300)
    finally:
        maker.kill()


def train(
    network: nn.Module,
    loss_of: Callable[[Any], Tensor],
    made: Iterator[Any],
    args: argparse.Namespace,
) -> None:
    """Train until the time is up, and save the running mean as often as is told how it goes."""
    learned = {n: p for n, p in network.named_parameters() if p.requires_grad}
    mean = {n: p.detach().clone() for n, p in learned.items()}
    optimiser = _optimiser(learned, args.rate)
    batch, step, lost = next(made), 0, 0.0
    begin = time.monotonic()
    while (gone := (time.monotonic() - begin) / args.seconds) < 1:
        for group in optimiser.param_groups:
            group["lr"] = group["by"] * args.rate * min(0.02 + gone / 0.05, (1 - gone) / 0.95)
        loss = loss_of(batch)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learned.values(), 1.0)
        optimiser.step()
        step, lost, batch = step + 1, lost + loss.item(), next(made)
        if step % _EVERY == 0:
            _renew(mean, learned, max(_NEW, _EVERY / (step / 2 + _EVERY)))
        if step % _TOLD == 0:
            print(f"{gone * args.seconds:.0f} s step {step} loss {lost / _TOLD:.4f}", flush=True)
            save(network.state_dict() | mean, args.out)
            lost = 0.0
    save(network.state_dict() | mean, args.out)


def save(state: dict[str, Tensor], out: Path) -> None:
    """Weights as 16-bit floats."""
    torch.save({name: tensor.half() for name, tensor in state.items()}, out)


def loaded(path: Path) -> dict[str, Tensor]:
    """Saved weights in 32 bits."""
    return {name: tensor.float() for name, tensor in torch.load(path).items()}


def _optimiser(learned: dict[str, Tensor], rate: float) -> torch.optim.Optimizer:
    encoder = [p for n, p in learned.items() if n.startswith("encoder")]
    heads = [p for n, p in learned.items() if not n.startswith("encoder")]
    groups = [{"params": encoder, "by": 1}, {"params": heads, "by": _FASTER}]
    return torch.optim.AdamW(groups, lr=rate, weight_decay=0.01, fused=True)


def _renew(mean: dict[str, Tensor], learned: dict[str, Tensor], share: float) -> None:
    for name, parameter in learned.items():
        mean[name].lerp_(parameter.detach(), share)
