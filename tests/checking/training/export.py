"""Write trained weights as the ONNX file that the checker runs, with 8-bit weights.

    python -m tests.checking.training.export WEIGHTS.pt [MORE.pt ...] OUT.onnx

Several weights from the same start are averaged, which generalises better than
the best of them (Wortsman et al. 2022, 'Model soups'). Needs torch, onnx and
onnxruntime; the checker itself needs only the last.
"""

import argparse
import tempfile
from pathlib import Path

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from tests.checking.training.model import DIRECTION, Judge


class Exported(nn.Module):
    """The judge with its scale and bias folded in, so that a score is one dot product."""

    def __init__(self, judge: Judge) -> None:
        super().__init__()
        self.judge = judge

    def forward(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Tokens [b, t, d + 1] and claims [b, d + 1]; their dot product is the logit."""
        tokens, claims = self.judge(ids, mask)
        one = torch.ones_like(tokens[:, :, :1])
        bias = self.judge.bias.expand(claims.shape[0], 1)
        return torch.cat([tokens, one], -1), torch.cat([claims * DIRECTION**-0.5, bias], -1)


def averaged(paths: list[Path]) -> dict[str, Tensor]:
    """The mean of several saved weights, in 32 bits."""
    states = [torch.load(path) for path in paths]
    return {n: torch.stack([s[n].float() for s in states]).mean(0) for n in states[0]}


def export(paths: list[Path], out: Path) -> None:
    """Trace, quantise and write."""
    judge = Judge()
    judge.load_state_dict(averaged(paths))
    ids, mask = torch.ones(2, 9, dtype=torch.int64), torch.ones(2, 9)
    axes = {0: "texts", 1: "pieces"}
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.onnx"
        torch.onnx.export(
            Exported(judge).eval(),
            (ids, mask),
            str(whole),
            dynamo=False,
            input_names=["ids", "mask"],
            output_names=["tokens", "claims"],
            dynamic_axes={"ids": axes, "mask": axes, "tokens": axes, "claims": {0: "texts"}},
        )
        quantize_dynamic(whole, out, per_channel=True, weight_type=QuantType.QInt8)
    onnx.checker.check_model(str(out))


def main() -> None:
    """Read the command line and export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path, nargs="+")
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    export(args.weights, args.out)


if __name__ == "__main__":
    main()
