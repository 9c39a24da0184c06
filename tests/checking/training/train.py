"""Fine-tune the judge: python -m tests.checking.training.train BASE VOCAB OUT [--steps N]

BASE is all-MiniLM-L6-v2's model.safetensors, or the .pt of an earlier training
to go on from; VOCAB is its vocab.txt. Answers are
composed without end from the fragments and the seen answers. The statements
that stand for each claim are drawn anew at every step, so that the network
learns to compare meanings and not to know sixteen claims by heart.
"""

import argparse
import random
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import partial
from multiprocessing import Pool as Workers
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional as F

from app.domain.checking.wordpiece import END, START, WordPiece
from tests.checking.markup import LABELS
from tests.checking.training.compose import Composed, Pool, compose, load_pool
from tests.checking.training.lines import seen_lines
from tests.checking.training.model import Judge, load_minilm, read_safetensors

ROOT = Path(__file__).parents[3]
FRAGMENTS = ROOT / "content" / "network" / "fragments"
LENGTH = 224  # pieces; longer answers are cut in training and windowed in use
STATEMENTS = 5  # drawn for each label at each step


@dataclass(frozen=True, slots=True)
class Example:
    """Ids [t]; labels and how much each counts, of tokens [t, n] and of the answer [n]."""

    ids: Tensor
    labels: Tensor
    weights: Tensor
    whole: Tensor
    counts: Tensor


def encode(made: Composed, words: WordPiece) -> Example:
    """An answer as tensors; a piece has the labels of the segment that it lies in."""
    nothing = [0.0] * len(LABELS)
    ids, rows = [START], [nothing]
    for segment in made.segments:
        pieces = words.pieces(segment.text)
        ids += [piece.id for piece in pieces]
        rows += [[float(label in segment.labels) for label in LABELS]] * len(pieces)
    ids, rows = [*ids[: LENGTH - 1], END], [*rows[: LENGTH - 1], nothing]
    labels = torch.tensor(rows)
    counts = torch.tensor([float(label not in made.maybe) for label in LABELS])
    unplaced = torch.tensor([float(label in made.unplaced) for label in LABELS])
    weights = (counts * (1 - unplaced)).expand(len(ids), -1).clone()
    return Example(torch.tensor(ids), labels, weights, labels.amax(0).maximum(unplaced), counts)


def batch(examples: list[Example]) -> tuple[Tensor, ...]:
    """Ids and mask [b, t]; labels and weights [b, t, n]; whole and counts [b, n]."""
    pad = partial(torch.nn.utils.rnn.pad_sequence, batch_first=True)
    ids = pad([e.ids for e in examples])
    mask = pad([torch.ones(len(e.ids)) for e in examples])
    labels, weights = pad([e.labels for e in examples]), pad([e.weights for e in examples])
    whole = torch.stack([e.whole for e in examples])
    return ids, mask, labels, weights, whole, torch.stack([e.counts for e in examples])


def loss_of(scores: Tensor, mask: Tensor, truth: tuple[Tensor, ...]) -> Tensor:
    """Cross-entropy of tokens, and of whole answers by their three surest tokens."""
    labels, weights, whole, counts = truth
    each = F.binary_cross_entropy_with_logits(scores, labels, reduction="none")
    answer = pooled(scores, mask)
    all_of_it = F.binary_cross_entropy_with_logits(answer, whole, reduction="none")
    tokens = (each * weights).sum() / weights.sum()
    return 4 * tokens + (all_of_it * counts).sum() / counts.sum()


def pooled(scores: Tensor, mask: Tensor) -> Tensor:
    """[b, t, n] -> [b, n]: the mean of the three highest scores over the tokens."""
    hidden = scores.masked_fill(mask[:, :, None] == 0, -1e4)
    return hidden.topk(min(3, scores.shape[1]), dim=1).values.mean(1)


def statements(pool: Pool, words: WordPiece, rng: random.Random) -> tuple[Tensor, Tensor]:
    """Drawn sentences for every label: ids [labels * drawn, t] and mask."""
    drawn = [c.text for label in LABELS for c in rng.sample(pool.claims[label], STATEMENTS)]
    ids = [torch.tensor([START, *(p.id for p in words.pieces(text)), END]) for text in drawn]
    pad = torch.nn.utils.rnn.pad_sequence
    mask = pad([torch.ones(len(i)) for i in ids], batch_first=True)
    return pad(ids, batch_first=True), mask


def train(args: argparse.Namespace) -> None:
    """Run the whole training and save the weights as 16-bit floats."""
    torch.manual_seed(0)  # the same start for every seed, so that weights can be averaged
    rng = random.Random(args.seed)
    words = WordPiece(args.vocab)
    pool = load_pool(FRAGMENTS, seen_lines())
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    judge = Judge()
    if args.base.suffix == ".pt":
        judge.load_state_dict({n: t.float() for n, t in torch.load(args.base).items()})
    else:
        load_minilm(judge.encoder, read_safetensors(args.base))
    judge.to(device).train()
    torch.manual_seed(args.seed)
    heads = [p for n, p in judge.named_parameters() if not n.startswith("encoder")]
    groups = [{"params": judge.encoder.parameters()}, {"params": heads, "lr": 10 * args.rate}]
    optimiser = torch.optim.AdamW(groups, lr=args.rate, weight_decay=0.01, foreach=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda s: _slope(s, args.steps))
    for step, examples in enumerate(_batches(args), start=1):
        ids, mask, *truth = (part.to(device) for part in batch(examples))
        said = [part.to(device) for part in statements(pool, words, rng)]
        with torch.autocast(device.type, torch.bfloat16):
            tokens, _ = judge(ids, mask)
            _, each = judge(*said)
        claims = each.float().view(len(LABELS), STATEMENTS, -1).mean(1)
        loss = loss_of(judge.scores(tokens.float(), claims), mask, tuple(truth))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(judge.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        if step % 100 == 0:
            print(f"step {step}  loss {loss.item():.4f}", flush=True)
    torch.save({n: t.half().cpu() for n, t in judge.state_dict().items()}, args.out)


def _slope(step: int, steps: int) -> float:
    """Warm up over the first twentieth, then fall to nothing."""
    return min(step / (0.05 * steps), max(0.0, (steps - step) / (0.95 * steps)))


def _batches(args: argparse.Namespace) -> Iterator[list[Example]]:
    with Workers(args.workers) as workers:
        jobs = [(args.seed * 1_000_003 + i, args.batch, str(args.vocab)) for i in range(args.steps)]
        for arrays in workers.imap(_make, jobs, chunksize=8):
            yield [Example(*map(torch.from_numpy, array)) for array in arrays]


def _make(job: tuple[int, int, str]) -> list[tuple]:
    seed, size, vocab = job
    rng = random.Random(seed)
    words, pool = _shared(vocab)
    examples = [encode(compose(pool, rng), words) for _ in range(size)]
    return [tuple(getattr(e, f.name).numpy() for f in fields(e)) for e in examples]


_SHARED: dict[str, tuple[WordPiece, Pool]] = {}


def _shared(vocab: str) -> tuple[WordPiece, Pool]:
    if vocab not in _SHARED:
        torch.set_num_threads(1)
        _SHARED[vocab] = WordPiece(Path(vocab)), load_pool(FRAGMENTS, seen_lines())
    return _SHARED[vocab]


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", type=Path)
    parser.add_argument("vocab", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--batch", type=int, default=48)
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
