"""What the extension would be handed of calls, their kernels compiled for a Hopper GPU.

Prints {case: the call, "refused", or null where that is not known yet}, and of the call in the
middle the kernels that the plans started, with their grids. See dry_hopper.py.
"""

import json

import torch

from tests.kernels.dry_hopper import stand_in, started

DTYPES = (torch.float16, torch.float32, torch.bfloat16, torch.float32)  # all that may differ
HOW = ("layer", "gelu", 1e-5)


class _Extension:
    """Hands back what it is handed."""

    @staticmethod
    def prepare(*given):
        *rest, dtypes = given
        return [*rest, [str(dtype) for dtype in dtypes]]


def _of(rows: int, features: int, need=(True, True)):
    from kernels.native.settled import REFUSED, settled

    x = torch.empty(rows, features, dtype=DTYPES[0])
    found = settled(_Extension, x, DTYPES, torch.float32, HOW, need)
    return "refused" if found is REFUSED else found


def _one_call(rows: int, features: int) -> list:
    """(kernel, grid) of those started, now that all are compiled."""
    from kernels import fused_chain

    shapes = ((rows, features), (rows, features), (features,), (features,))
    given = [
        torch.zeros(*shape, dtype=dtype, requires_grad=True)
        for shape, dtype in zip(shapes, DTYPES, strict=True)
    ]
    fused_chain(*given).sum().backward()
    return [(start["kernel"], start["grid"]) for start in started]


def main() -> None:
    """Settle calls before and after one has been made."""
    stand_in()
    found = {"before": _of(40, 512), "started": _one_call(40, 512), "after": _of(40, 512)}
    found["no gradient"] = _of(40, 512, (False, False))
    found["no rows"] = _of(0, 512)
    found["a team's"] = _of(3, 40_000)
    found["too long for a team"] = _of(3, 131_073)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
