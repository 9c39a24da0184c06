"""Write a trained verifier as the ONNX file that the checker runs, with 8-bit weights.

    python -m tests.checking.training.export_verifier VERIFIER.pt NETWORK.onnx OUT.onnx

Its words' embeddings are the network's own, byte for byte, so they are not
written a second time: OUT says where in NETWORK they stand. Both files must lie
in one folder. A network exported anew needs its verifier exported anew.
"""

import sys
import tempfile
from pathlib import Path

import onnx
import torch
from onnx import TensorProto
from onnxruntime.quantization import QuantType, quantize_dynamic

from tests.checking.training.verifier import Verifier

_WORDS = "encoder.words.weight"


def export(weights: Path, network: Path, out: Path) -> None:
    """Trace, quantise, share the words and write."""
    verifier = Verifier().eval()
    verifier.load_state_dict({n: t.float() for n, t in torch.load(weights).items()})
    ids, mask = torch.ones(2, 9, dtype=torch.int64), torch.ones(2, 9)
    axes = {0: "pairs", 1: "pieces"}
    with tempfile.TemporaryDirectory() as folder:
        whole, small = Path(folder) / "whole.onnx", Path(folder) / "small.onnx"
        torch.onnx.export(
            verifier,
            (ids, mask, mask),
            str(whole),
            dynamo=False,
            input_names=["ids", "mask", "words"],
            output_names=["verdicts"],
            dynamic_axes={"ids": axes, "mask": axes, "words": axes, "verdicts": {0: "pairs"}},
        )
        quantize_dynamic(whole, small, per_channel=True, weight_type=QuantType.QInt8)
        model = onnx.load(str(small))
    shared(model, network)
    out.write_bytes(model.SerializeToString())
    onnx.checker.check_model(str(out))


def shared(model: onnx.ModelProto, network: Path) -> None:
    """Let the model's word embeddings be those in the network's file."""
    ours = {tensor.name: tensor for tensor in model.graph.initializer}
    theirs = {tensor.name: tensor for tensor in onnx.load(str(network)).graph.initializer}
    for part in ("_scale", "_zero_point"):
        tensor, name = ours[_WORDS + part], _WORDS + part
        tensor.CopyFrom(theirs[f"judge.{_WORDS}{part}"])
        tensor.name = name
    raw = theirs[f"judge.{_WORDS}_quantized"].raw_data
    tensor = ours[f"{_WORDS}_quantized"]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    place = {"location": network.name, "offset": network.read_bytes().index(raw)}
    for key, value in (place | {"length": len(raw)}).items():
        tensor.external_data.add(key=key, value=str(value))


if __name__ == "__main__":
    export(*map(Path, sys.argv[1:]))
