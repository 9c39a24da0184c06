"""The registers that the backward's kernels spill, compiled for a Hopper GPU (dry_hopper.py).

Reads [[features, dtype], …] as JSON and prints one line for each: how many instructions of the
main loop read or write what was spilled.
"""

import json
import sys

import torch

from tests.kernels.dry_hopper import stand_in

FEW_ROWS = 64
LOCAL = ("LDL", "STL")


def _spilled(features: int, dtype: torch.dtype) -> int:
    from kernels import launch, prepared
    from kernels.bench.experiments import sass

    x = torch.zeros(FEW_ROWS, features, dtype=dtype)
    vector, statistics = torch.zeros(features, dtype=dtype), torch.zeros(2, FEW_ROWS)
    how, need = ("layer", "gelu"), (True, True)
    launch.backward(x, x, vector, vector, statistics, how, need)
    shape, strides = (FEW_ROWS, features), (features, features)
    plan = prepared.backward(x.device, None, shape, strides, (dtype,) * 4, how, need).plan
    (compiled,) = plan.compiled.values()
    loop = sass.main_loop(sass.instructions(sass.disassembled(compiled)))
    return sum(name.split(".")[0] in LOCAL for _, name, _ in loop)


if __name__ == "__main__":
    stand_in()
    for features, name in json.load(sys.stdin):
        print(_spilled(features, getattr(torch, name)), flush=True)
