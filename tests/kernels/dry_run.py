"""What is handed over where a chain's kernels are started, on a Hopper GPU that is none.

Prints one JSON line for each call of a chain: the kernels started the first time,
when Triton compiles and launches, and the second time, when the plan does.
"""

import json
import sys

import torch

from tests.kernels.dry_hopper import names, stand_in, started


def _twice(
    chain, rows: int, features: int, dtype: torch.dtype, vectors: list[bool], how: dict
) -> dict:
    def tensor(*shape: int) -> torch.Tensor:
        return torch.zeros(*shape, dtype=dtype).requires_grad_()

    given = [tensor(rows, features), tensor(rows, features)]
    given += [tensor(features) if there else None for there in vectors]  # weight, bias
    called = zip(("x", "residual", "weight", "bias"), given, strict=True)
    names.clear()
    names.update({t.data_ptr(): name for name, t in called if t is not None})
    rounds = []
    for _ in range(2):
        started.clear()
        chain(*given, **how).sum().backward()
        rounds.append(list(started))
    return {"first": rounds[0], "second": rounds[1]}


def main() -> None:
    """Start every case given as JSON on standard input."""
    stand_in()
    import kernels

    for case in json.load(sys.stdin):
        case["dtype"] = getattr(torch, case["dtype"])
        chain = getattr(kernels, case.pop("chain"))
        print(json.dumps(_twice(chain, **case)))


if __name__ == "__main__":
    main()
