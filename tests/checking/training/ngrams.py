"""The lighter design that the network is compared with: hashed n-grams and one linear layer.

Windows of a dozen words, each hashed into word 1- to 3-grams; one logistic
regression for each claim and sign; an answer's score is its best window's.
Trained on the same composed answers. `python -m tests.checking.training.ngrams`
"""

import random
from dataclasses import dataclass
from zlib import crc32

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from app.domain.checking.words import read
from tests.checking.markup import LABELS, Segment
from tests.checking.training.compose import Composed, compose, load_pool
from tests.checking.training.feeding import FRAGMENTS
from tests.checking.training.lines import seen_lines

BUCKETS = 1 << 17
WINDOW, STRIDE = 12, 3


@dataclass(frozen=True, slots=True)
class Window:
    """A window's n-grams as bucket numbers, and the answer's characters [start, end)."""

    buckets: tuple[int, ...]
    start: int
    end: int


def windows(answer: str) -> list[Window]:
    """Every window of an answer."""
    words = read(answer).words
    cuts = range(0, max(1, len(words) - WINDOW + STRIDE), STRIDE)
    chosen = [words[at : at + WINDOW] for at in cuts if words]
    return [Window(_buckets([w.text for w in c]), c[0].start, c[-1].end) for c in chosen]


def _buckets(words: list[str]) -> tuple[int, ...]:
    grams = [" ".join(words[i : i + n]) for n in (1, 2, 3) for i in range(len(words) - n + 1)]
    skips = [f"{a}..{b}" for a, b in zip(words, words[2:], strict=False)]
    return tuple(crc32(gram.encode()) % BUCKETS for gram in grams + skips)


class Linear(nn.Module):
    """Sum of the buckets' weights: logits [windows, labels]."""

    def __init__(self) -> None:
        super().__init__()
        self.weights = nn.EmbeddingBag(BUCKETS, len(LABELS), mode="mean")
        self.scale = nn.Parameter(torch.tensor(8.0))
        self.bias = nn.Parameter(torch.full((len(LABELS),), -3.0))
        nn.init.zeros_(self.weights.weight)

    def forward(self, found: list[Window]) -> Tensor:
        flat = torch.tensor([b for window in found for b in window.buckets])
        sizes = [0, *(len(window.buckets) for window in found[:-1])]
        return self.weights(flat, torch.tensor(sizes).cumsum(0)) * self.scale + self.bias


def truth(made: Composed, found: list[Window]) -> Tensor:
    """[windows, labels]: the share of each window's characters that carry the label."""
    rows = torch.zeros(len(found), len(LABELS))
    for row, window in zip(rows, found, strict=True):
        for label, start, end in _spans(made.segments):
            shared = min(end, window.end) - max(start, window.start)
            row[LABELS.index(label)] += max(0, shared) / (window.end - window.start)
    return rows


def _spans(segments: tuple[Segment, ...]) -> list[tuple[str, int, int]]:
    spans: list[tuple[str, int, int]] = []
    at = 0
    for segment in segments:
        spans += [(label, at, at + len(segment.text)) for label in segment.labels]
        at += len(segment.text)
    return spans


def train(answers: int = 12_000, seed: int = 5) -> Linear:
    """Fit on freshly composed answers."""
    rng = random.Random(seed)
    torch.manual_seed(seed)
    pool = load_pool(FRAGMENTS, seen_lines())
    model = Linear()
    optimiser = torch.optim.Adam(model.parameters(), lr=0.1)
    for _ in range(answers // 32):
        made = [compose(pool, rng) for _ in range(32)]
        cut = [windows("".join(s.text for s in m.segments)) for m in made]
        pairs = [(m, c) for m, c in zip(made, cut, strict=True) if c]
        share = torch.cat([truth(m, c) for m, c in pairs])
        weights = torch.cat([_weights(m, len(c)) for m, c in pairs])
        weights = weights * ((share > 0.6) | (share < 0.2))  # no lesson from half a claim
        logits = model([window for _, c in pairs for window in c])
        target = (share > 0.6).float()
        each = F.binary_cross_entropy_with_logits(logits, target, reduction="none")
        loss = (each * weights).sum() / weights.sum()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return model.eval()


def _weights(made: Composed, count: int) -> Tensor:
    closed = [float(label not in made.maybe | made.unplaced) for label in LABELS]
    return torch.tensor(closed).expand(count, -1)


@torch.no_grad()
def chances(model: Linear, answer: str) -> Tensor:
    """Probabilities [labels]: each label's best window; zeros for an answer without words."""
    found = windows(answer)
    if not found:
        return torch.zeros(len(LABELS))
    return model(found).sigmoid().amax(0)
