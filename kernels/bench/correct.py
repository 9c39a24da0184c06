"""Each variant's outputs against float64, over the whole tensors, in pieces of rows."""

from collections.abc import Sequence

from torch import Tensor

from kernels.bench.checks import judged
from kernels.bench.protocol import Request
from kernels.bench.variants import QUANTITIES, Inputs
from kernels.reference import exact_chain, gradients

PIECE_ELEMENTS = 1 << 23
CAPS = {"fp32": 2e-6, "fp16": 1.2e-3, "bf16": 1.0e-2}
"""For ‖found − exact‖ / ‖exact‖: about three roundings of the dtype, one after another."""

CAPS_OF_SUMS = {"fp32": 2e-5, "fp16": 1.2e-3, "bf16": 1.0e-2}
"""For dweight and dbias, which are sums over all rows."""


class Errors:
    """Squared differences gathered piece by piece, for some variants' outputs."""

    def __init__(self, request: Request, outputs: dict[str, Sequence[Tensor]]) -> None:
        self.request = request
        self.names = QUANTITIES[request.direction]
        self.outputs = {v: dict(zip(self.names, o, strict=True)) for v, o in outputs.items()}
        self.squares = {(v, q): 0.0 for v in outputs for q in self.names}
        self.scales = dict.fromkeys(self.names, 0.0)

    def of(self, inputs: Inputs) -> list[dict]:
        """The check events: one for each variant and quantity."""
        sums: dict[str, Tensor] = {}
        step = max(1, PIECE_ELEMENTS // self.request.features)
        for start in range(0, self.request.rows, step):
            rows = slice(start, start + step)
            exact = self._exact(inputs, rows)
            for name in self.names:
                if name in ("dweight", "dbias"):
                    sums[name] = sums.get(name, 0.0) + exact[name]
                else:
                    self._add(name, exact[name], rows)
        for name, total in sums.items():
            self._add(name, total, slice(None))
        return [self._event(variant, name) for variant, name in self.squares]

    def _exact(self, inputs: Inputs, rows: slice) -> dict[str, Tensor]:
        x, residual, weight, bias = (leaf.detach() for leaf in inputs.leaves)
        how = {"norm": self.request.norm, "activation": self.request.activation}
        piece = (x[rows], residual[rows], weight, bias)
        return gradients(exact_chain, piece, inputs.dy[rows], **how)

    def _add(self, name: str, exact: Tensor, rows: slice) -> None:
        self.scales[name] += exact.square().sum().item()
        for variant, found in self.outputs.items():
            difference = found[name].detach()[rows].double() - exact
            self.squares[variant, name] += difference.square().sum().item()

    def _event(self, variant: str, name: str) -> dict:
        error = (self.squares[variant, name] / (self.scales[name] or 1.0)) ** 0.5
        caps = CAPS_OF_SUMS if name in ("dweight", "dbias") else CAPS
        return judged(variant, name, error, caps[self.request.dtype])
