"""The arithmetic in the machine code of the kernels, compiled for a Hopper GPU and started on none.

Prints {"variant direction": FLOPs an element} in bfloat16 as JSON. See dry_hopper.py.
"""

import json

import torch

from tests.kernels.dry_hopper import stand_in

ROWS, FEATURES = 40, 512


def main() -> None:
    """Count."""
    stand_in()
    from kernels import fused_chain, separate_chain
    from kernels.bench.experiments.executed import executed
    from kernels.prepared import bits

    shapes = ((ROWS, FEATURES), (ROWS, FEATURES), (FEATURES,), (FEATURES,))
    given = [torch.zeros(*shape, dtype=torch.bfloat16).requires_grad_() for shape in shapes]
    for chain in (fused_chain, separate_chain):
        chain(*given).sum().backward()
    found = executed(given[0].detach(), "gelu", bits(given[0].dtype))
    print(json.dumps({" ".join(key): count for key, count in found.items()}))


if __name__ == "__main__":
    main()
