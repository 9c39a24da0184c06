"""Several judges of the same shape at once: their weights stacked, one pass for all.

Training steps this small are bound by the processor that launches them, so six
networks in one pass take hardly longer than one. Each reads its own answers.
"""

import torch
from torch import Tensor
from torch.nn import functional as F

from tests.checking.training.model import DIRECTION, HEADS, LAYERS, WIDTH, Judge

DROPPED = 0.1
SHARED = "encoder.words.weight"  # the only weights that all have in common, and that stay

State = dict[str, Tensor]


def stacked(states: list[State]) -> State:
    """The weights of several judges [m, ...]; those of the words only once."""
    names = states[0].keys()
    return {n: states[0][n] if n == SHARED else torch.stack([s[n] for s in states]) for n in names}


def unstacked(weights: State) -> list[State]:
    """The judges' weights one by one, in 32 bits on the processor."""
    own = {n: t.detach().float().cpu() for n, t in weights.items()}
    many = len(own["bias"])
    return [{n: t if n == SHARED else t[i] for n, t in own.items()} for i in range(many)]


def directions(weights: State, ids: Tensor, said: Tensor) -> tuple[Tensor, Tensor]:
    """Of answers [m, b, t] their tokens' directions [m, b, t, d], of sentences [m, n, t] [m, n, d].

    As Judge.forward says, for each of the stacked judges.
    """
    tokens = _headed(weights, "token", encoded(weights, ids))
    share = (said > 0)[..., None].float()
    mean = (encoded(weights, said).float() * share).sum(2) / share.sum(2)
    return tokens, _headed(weights, "claim", mean[:, :, None])[:, :, 0]


def scores(weights: State, tokens: Tensor, claims: Tensor) -> Tensor:
    """Logits [m, b, t, n] of tokens [m, b, t, d] against claims [m, n, d]."""
    many, batch, length, width = tokens.shape
    flat = tokens.reshape(many, batch * length, width).float() @ claims.float().transpose(1, 2)
    logits = flat * DIRECTION**-0.5 + weights["bias"][:, None, None]
    return logits.view(many, batch, length, -1)


def encoded(weights: State, ids: Tensor) -> Tensor:
    """The encoder's last states [m, b, t, width] of ids [m, b, t]."""
    places = weights["encoder.places.weight"][:, None, : ids.shape[2]]
    kind = weights["encoder.kind"][:, None, None]
    x = F.embedding(ids, weights[SHARED]) + places + kind
    x = F.dropout(_normed(weights, "encoder.norm", x), DROPPED)
    seen = (ids > 0).flatten(0, 1)[:, None, None, :]
    for i in range(LAYERS):
        x = _layer(weights, f"encoder.layers.{i}", x, seen)
    return x


def _layer(weights: State, name: str, x: Tensor, seen: Tensor) -> Tensor:
    many, batch, length, _ = x.shape
    qkv = _linear(weights, f"{name}.qkv", x).view(many * batch, length, 3, HEADS, WIDTH // HEADS)
    q, k, v = qkv.permute(2, 0, 3, 1, 4)
    mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=seen, dropout_p=DROPPED)
    mixed = mixed.transpose(1, 2).reshape(x.shape)
    x = _normed(
        weights, f"{name}.norm1", x + F.dropout(_linear(weights, f"{name}.out", mixed), DROPPED)
    )
    inner = F.gelu(_linear(weights, f"{name}.up", x))
    return _normed(
        weights, f"{name}.norm2", x + F.dropout(_linear(weights, f"{name}.down", inner), DROPPED)
    )


def _headed(weights: State, name: str, x: Tensor) -> Tensor:
    return _linear(weights, f"{name}.2", F.gelu(_linear(weights, f"{name}.0", x)))


def _linear(weights: State, name: str, x: Tensor) -> Tensor:
    flat = x.flatten(1, 2)
    bias = weights[f"{name}.bias"][:, None]
    out = torch.baddbmm(bias, flat, weights[f"{name}.weight"].transpose(1, 2))
    return out.view(*x.shape[:3], -1)


def _normed(weights: State, name: str, x: Tensor) -> Tensor:
    plain = F.layer_norm(x, (WIDTH,), eps=1e-12)
    scale, shift = weights[f"{name}.weight"], weights[f"{name}.bias"]
    return plain * scale[:, None, None] + shift[:, None, None]


def judge_of(state: State) -> Judge:
    """One judge with these weights, for reading."""
    judge = Judge()
    judge.load_state_dict(state)
    return judge.eval()
