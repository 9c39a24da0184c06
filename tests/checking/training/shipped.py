"""The weights of the network that the checker ships, read back from its 8-bit ONNX file.

    python -m tests.checking.training.shipped NETWORK.onnx OUT.pt

Needs onnx. What comes back is within half a step of 8 bits of what was trained.
"""

import sys
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper

from tests.checking.training.model import Judge
from tests.checking.training.stacked import State

_TAIL = "_quantized"


def shipped(path: Path) -> State:
    """The judge's weights by name; matrices lost theirs in the export, their order tells."""
    stored = {t.name: numpy_helper.to_array(t) for t in onnx.load(str(path)).graph.initializer}
    state = {n: t.clone() for n, t in Judge().state_dict().items()}
    found = {n.removeprefix("judge."): v for n, v in stored.items() if n.startswith("judge.")}
    state |= {n: torch.tensor(v) for n, v in found.items() if n in state}
    state["encoder.words.weight"] = torch.from_numpy(_unscaled(stored, _words(stored)))
    matrices = [n for n in stored if n.endswith(_TAIL) and n != _words(stored)]
    linear = [n for n, t in state.items() if t.dim() == 2 and not n.startswith("encoder.words")]
    linear.remove("encoder.places.weight")
    for name, source in zip(linear, matrices, strict=True):
        state[name] = torch.from_numpy(_unscaled(stored, source).T.copy())
    return state


def _words(stored: dict[str, NDArray]) -> str:
    return next(name for name in stored if "words" in name and name.endswith(_TAIL))


def _unscaled(stored: dict[str, NDArray], name: str) -> NDArray[np.float32]:
    base = name.removesuffix(_TAIL)
    zero = stored[f"{base}_zero_point"].astype(np.float32)
    return (stored[name].astype(np.float32) - zero) * stored[f"{base}_scale"].astype(np.float32)


if __name__ == "__main__":
    torch.save(shipped(Path(sys.argv[1])), sys.argv[2])
