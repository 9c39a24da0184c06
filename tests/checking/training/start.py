"""The weights to start from, small enough to carry.

    python -m tests.checking.training.start BASE OUT.npz
    python -m tests.checking.training.start START.npz MEAN.npz OUT.pt

BASE is all-MiniLM-L6-v2's model.safetensors or a .pt of whole weights: its matrices are
written as 8-bit rows with a scale each, and so is the claims file that
branches.py reads, beside it. The second form puts START's embeddings and a
training's mean together again, as a .pt for export.py or for `--further`.
"""

import json
import sys
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from tests.checking.first_card import load
from tests.checking.markup import AXES, LABELS, POINTS
from tests.checking.training.branches import started
from tests.checking.training.model import Judge, load_minilm, read_safetensors

_UNSCALED = "encoder.places.weight"


def pack(state: dict[str, Tensor], out: Path) -> None:
    """The encoder's matrices as 8-bit rows with their scales, all else as 16-bit floats."""
    rows: dict[str, np.ndarray] = {}
    for name, tensor in state.items():
        if tensor.dim() == 2 and name.startswith("encoder") and name != _UNSCALED:
            scale = (tensor.abs().amax(1).clamp(min=1e-8) / 127).half()
            rows[f"{name}.scale"] = scale.numpy()
            whole = (tensor / scale.float()[:, None]).round().clamp(-127, 127)
            rows[name] = whole.to(torch.int8).numpy()
        else:
            rows[name] = tensor.half().numpy()
    np.savez(out, **rows)


def whole(path: Path) -> dict[str, Tensor]:
    """The weights of a .pt, or the published encoder's alone."""
    if path.suffix == ".pt":
        return {name: tensor.float() for name, tensor in torch.load(path).items()}
    judge = Judge()
    load_minilm(judge.encoder, read_safetensors(path))
    return {n: t for n, t in judge.state_dict().items() if n.startswith("encoder")}


def together(start: Path, mean: Path, out: Path) -> None:
    """A training's mean on the embeddings that it started from."""
    state = started(start)
    with np.load(mean) as parts:
        state |= {name: torch.from_numpy(parts[name].astype(np.float32)) for name in parts.files}
    torch.save({name: tensor.half() for name, tensor in state.items()}, out)


def sentences() -> dict[str, list[str]]:
    """The first card's sentences for each label, as the checker uses them."""
    card = load()
    found: dict[str, list[str]] = {
        mark: list(card.key_point(p).asserts) for mark, p in POINTS.items()
    }
    for axis, (ref, _) in AXES.items():
        pitfall = card.pitfall(ref)
        opposing = [s for p in card.key_points if p.opposes == ref for s in p.asserts]
        found |= {axis + "+": list(pitfall.asserts), axis + "-": [*pitfall.rejects, *opposing]}
    return {label: found[label] for label in LABELS}


def main() -> None:
    """Read the command line, pack or put together."""
    paths = [Path(argument) for argument in sys.argv[1:]]
    if len(paths) == 3:
        together(*paths)
    else:
        base, out = paths
        pack(whole(base), out)
        out.with_name("claims.json").write_text(json.dumps(sentences(), indent=1))


if __name__ == "__main__":
    main()
