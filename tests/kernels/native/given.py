"""Calls of the extension, whose kernels are three numbers."""

from tests.kernels.needs import torch  # isort: skip

ROWS, FEATURES, PARTIALS = 6, 32, 3
FORWARD = (101, (6, 1, 1), 32, 256, False, (ROWS, 2, 3), 1e-5)
BACKWARD = (102, (3, 1, 1), 64, 512, False, (ROWS, 4, 5), None)
SUMS = (103, (2, 2, 1), 128, 64, True, (PARTIALS,), None)
NOTHING = (0, (0, 0, 0), 0, 0, False, (), None)


def call(extension, need=(True, True), dtype=torch.float32, y=None, backward=BACKWARD, sums=SUMS):
    """A prepared call of x, weight and bias of a dtype and y of another, if it is said."""
    dtypes = (dtype, dtype, dtype, y or dtype)
    return extension.prepare(FORWARD, backward, sums, ROWS, FEATURES, 2, PARTIALS, *need, dtypes)


def tensors(dtype=torch.float32, **wanted: bool) -> dict[str, torch.Tensor]:
    shapes = {"x": (ROWS, FEATURES), "residual": (ROWS, FEATURES), "weight": (FEATURES,),
              "bias": (FEATURES,)}  # fmt: skip
    return {
        name: torch.ones(shape, dtype=dtype).requires_grad_(wanted.get(name, True))
        for name, shape in shapes.items()
    }


def started(extension, **wanted: bool):
    """(the arguments by name, y)"""
    given = tensors(**wanted)
    return given, extension.chain(*given.values(), call(extension))
