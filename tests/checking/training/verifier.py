"""The verifier's network: MiniLM reads a claim and an answer's words together.

Every word of the one sees every word of the other, so it can tell what a 'not'
belongs to, whose claim it is and whether it is taken back. That is slow for many
claims, and quick for the few that an answer may make.
"""

import torch
from torch import Tensor, nn

from tests.checking.training.by_clock import fix
from tests.checking.training.model import WIDTH, Encoder, barred
from tests.checking.training.stacked import State

VERDICTS = 3
FIXED = 2  # layers, from the first, that stay as they are


class Verifier(nn.Module):
    """Claim and words -> logits of 'says', 'denies' and 'neither'."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = Encoder()
        self.second = nn.Parameter(torch.zeros(WIDTH))
        self.head = nn.Sequential(
            nn.Dropout(0.1), nn.Linear(2 * WIDTH, WIDTH), nn.GELU(), nn.Linear(WIDTH, VERDICTS)
        )

    def forward(self, ids: Tensor, mask: Tensor, words: Tensor) -> Tensor:
        """Logits [b, 3]; `mask` [b, t] is 1 for a piece, `words` for one of the answer's."""
        x, blocked, share = self.encoder.embedded(ids), barred(mask), words[:, :, None]
        for i, layer in enumerate(self.encoder.layers):
            x = layer(x + share * self.second if i == FIXED else x, blocked)
        mean = (x * share).sum(1) / share.sum(1).clamp(min=1)
        return self.head(torch.cat([x[:, 0], mean], -1))


def begun(judge: State) -> Verifier:
    """A verifier with a judge's encoder, its words fixed."""
    torch.manual_seed(0)
    verifier = Verifier()
    encoder = {n.removeprefix("encoder."): t for n, t in judge.items() if n.startswith("encoder.")}
    verifier.encoder.load_state_dict({n: t.float() for n, t in encoder.items()})
    fix(verifier.encoder, FIXED)
    return verifier
