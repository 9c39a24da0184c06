"""What the stacked networks are trained by: tokens, whole answers, and the signs of claims."""

import torch
from torch import Tensor
from torch.nn import functional as F

from tests.checking.markup import LABELS

_OPPOSED = 2.0  # how much more a pitfall counts where the opposite is said


def loss_of(
    logits: Tensor, mask: Tensor, labels: Tensor, whole: Tensor, counts: Tensor, placed: Tensor
) -> Tensor:
    """Cross-entropy of tokens, of whole answers by their three surest tokens, and of signs.

    Where an answer says the opposite of a pitfall, to see the pitfall there is
    the worst mistake, and counts more.
    """
    weights = mask[..., None] * placed[:, :, None] * _opposed(labels)
    each = F.binary_cross_entropy_with_logits(logits, labels, reduction="none")
    tokens = (each * weights).sum((1, 2, 3)) / weights.sum((1, 2, 3))
    hidden = logits.masked_fill(mask[..., None] == 0, -1e4)
    answer = hidden.topk(min(3, logits.shape[2]), dim=2).values.mean(2)
    smooth = whole * 0.98 + 0.01
    every = F.binary_cross_entropy_with_logits(answer, smooth, reduction="none")
    counted = counts * _opposed(whole)
    answers = (every * counted).sum((1, 2)) / counted.sum((1, 2))
    signs = _signs(logits, labels) + _signs(answer, whole * counts)
    return (4 * tokens + answers + signs).sum()


def _signs(logits: Tensor, labels: Tensor) -> Tensor:
    """Cross-entropy [m] of 'says' against 'rejects', where just one of the two is true."""
    says = [i for i, label in enumerate(LABELS) if label.endswith("+")]
    denies = [LABELS.index(LABELS[i][0] + "-") for i in says]
    apart = (logits[..., says] - logits[..., denies]).flatten(1)
    truth = labels[..., says].flatten(1)
    counted = (labels[..., says] != labels[..., denies]).float().flatten(1)
    each = F.binary_cross_entropy_with_logits(apart, truth, reduction="none")
    return (each * counted).sum(1) / counted.sum(1).clamp(min=1)


def _opposed(labels: Tensor) -> Tensor:
    """More weight [..., n] on each axis' 'says' where its 'rejects' is true and it is not."""
    weights = torch.ones_like(labels)
    for says, label in enumerate(LABELS):
        if label.endswith("+"):
            denies = LABELS.index(label[0] + "-")
            weights[..., says] += (_OPPOSED - 1) * labels[..., denies] * (1 - labels[..., says])
    return weights


def spread(bits: Tensor) -> Tensor:
    """Label bits [...] as zeros and ones [..., n]."""
    return ((bits[..., None] >> torch.arange(len(LABELS), device=bits.device)) & 1).float()
