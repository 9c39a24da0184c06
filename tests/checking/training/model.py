"""The judge's network: MiniLM's encoder, and a claim as a direction to look in.

A statement is read by the same encoder as the answer and averaged into one
vector; a token of the answer belongs to the claim when the two point the same
way. So a new claim needs sentences, not new weights.
"""

import json
import struct
from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F

WIDTH, HEADS, LAYERS, INNER, VOCABULARY, POSITIONS = 384, 12, 6, 1536, 30522, 512
DIRECTION = 192  # length of the vectors in which claims and tokens are compared


class Layer(nn.Module):
    """One transformer layer as BERT has it: attention, then a two-layer network."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.norm1 = nn.LayerNorm(WIDTH, eps=1e-12)
        self.up = nn.Linear(WIDTH, INNER)
        self.down = nn.Linear(INNER, WIDTH)
        self.norm2 = nn.LayerNorm(WIDTH, eps=1e-12)
        self.drop = nn.Dropout(0.1)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:  # x [b, t, width], mask [b, 1, 1, t]
        batch, length, _ = x.shape
        heads = self.qkv(x).view(batch, length, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        q, k, v = heads[0], heads[1], heads[2]  # [b, heads, t, width / heads]
        weights = (q * (WIDTH // HEADS) ** -0.5) @ k.transpose(-1, -2) + mask.to(q.dtype)
        with torch.autocast("cpu", enabled=False):  # which would go to 32 bits and back
            weights = weights.softmax(-1)
        mixed = (weights @ v).transpose(1, 2).reshape(x.shape)
        x = self.norm1(x + self.drop(self.out(mixed)))
        return self.norm2(x + self.drop(self.down(F.gelu(self.up(x)))))


class Encoder(nn.Module):
    """Token ids [b, t] -> contextual vectors [b, t, width]."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.places = nn.Embedding(POSITIONS, WIDTH)
        self.kind = nn.Parameter(torch.zeros(WIDTH))
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.drop = nn.Dropout(0.1)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:  # mask [b, t]: 1 for a token
        x, blocked = self.embedded(ids), barred(mask)
        for layer in self.layers:
            x = layer(x, blocked)
        return x

    def embedded(self, ids: Tensor) -> Tensor:
        """What the first layer reads [b, t, width]."""
        places = self.places.weight[: ids.shape[1]]
        return self.drop(self.norm(self.words(ids) + places + self.kind))


def barred(mask: Tensor) -> Tensor:
    """What is added to the attention [b, 1, 1, t] so that no padding is attended to."""
    return (1.0 - mask[:, None, None, :].float()) * -1e4


class Judge(nn.Module):
    """Encoder and the two projections in which tokens and statements are compared."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = Encoder()
        self.token = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.GELU(), nn.Linear(WIDTH, DIRECTION))
        self.claim = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.GELU(), nn.Linear(WIDTH, DIRECTION))
        self.bias = nn.Parameter(torch.tensor(-3.0))

    def forward(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Token directions [b, t, d] and each text's own direction as a statement [b, d]."""
        x = self.encoder(ids, mask)
        share = mask[:, :, None].to(x.dtype)
        mean = (x * share).sum(1) / share.sum(1).clamp(min=1)
        return self.token(x), self.claim(mean)

    def scores(self, tokens: Tensor, claims: Tensor) -> Tensor:
        """Logits [b, t, n] of tokens [b, t, d] against claims [n, d]."""
        return tokens @ claims.T * DIRECTION**-0.5 + self.bias


def load_minilm(encoder: Encoder, weights: Mapping[str, Tensor]) -> None:
    """Fill the encoder from all-MiniLM-L6-v2's tensors, by their published names."""
    take = {name: tensor.float() for name, tensor in weights.items()}
    state = {
        "words.weight": take["embeddings.word_embeddings.weight"],
        "places.weight": take["embeddings.position_embeddings.weight"],
        "kind": take["embeddings.token_type_embeddings.weight"][0],
    }
    state |= _pair(take, "norm", "embeddings.LayerNorm")
    for i in range(LAYERS):
        state |= _layer(take, f"layers.{i}", f"encoder.layer.{i}")
    encoder.load_state_dict(state)


def _layer(take: dict[str, Tensor], ours: str, theirs: str) -> dict[str, Tensor]:
    parts = [f"{theirs}.attention.self.{name}" for name in ("query", "key", "value")]
    state = {
        f"{ours}.qkv.{kind}": torch.cat([take[f"{part}.{kind}"] for part in parts])
        for kind in ("weight", "bias")
    }
    state |= _pair(take, f"{ours}.out", f"{theirs}.attention.output.dense")
    state |= _pair(take, f"{ours}.norm1", f"{theirs}.attention.output.LayerNorm")
    state |= _pair(take, f"{ours}.up", f"{theirs}.intermediate.dense")
    state |= _pair(take, f"{ours}.down", f"{theirs}.output.dense")
    return state | _pair(take, f"{ours}.norm2", f"{theirs}.output.LayerNorm")


def _pair(take: dict[str, Tensor], ours: str, theirs: str) -> dict[str, Tensor]:
    return {f"{ours}.{kind}": take[f"{theirs}.{kind}"] for kind in ("weight", "bias")}


def read_safetensors(path: Path) -> dict[str, Tensor]:
    """The tensors of a .safetensors file of 16- or 32-bit floats (integers are left out)."""
    raw = path.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8 : 8 + length])
    kinds = {"F32": torch.float32, "F16": torch.float16}
    tensors = {}
    for name, entry in header.items():
        if entry.get("dtype") in kinds:
            start, end = (8 + length + offset for offset in entry["data_offsets"])
            flat = torch.frombuffer(bytearray(raw[start:end]), dtype=kinds[entry["dtype"]])
            tensors[name] = flat.view(entry["shape"])
    return tensors
