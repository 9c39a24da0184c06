"""A network's file at work: pieces of text in, arrays out, on one CPU thread of ONNX Runtime."""

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.domain.checking.weights import whole

Floats = NDArray[np.float32]


class Session:
    """A network's file, loaded to run on one thread; takes one text at a time.

    Trouble where the file is missing or damaged.
    """

    def __init__(self, path: Path) -> None:
        runtime: Any = import_module("onnxruntime")  # slow to import, and only needed here
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False  # keeps the process small
        self._session: Any = runtime.InferenceSession(
            str(whole(path)), options, providers=["CPUExecutionProvider"]
        )

    def run(self, ids: list[int], **shares: list[float]) -> list[Floats]:
        """What the network makes of pieces, and of numbers that belong to each of them."""
        feed = {name: np.array([row], dtype=np.float32) for name, row in shares.items()}
        mask = np.ones((1, len(ids)), dtype=np.float32)
        return self._session.run(
            None, feed | {"ids": np.array([ids], dtype=np.int64), "mask": mask}
        )
