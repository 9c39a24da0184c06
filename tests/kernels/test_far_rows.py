"""Rows that lie 2^32 elements apart, in a file with a hole between them: no number overflows."""

import pytest

from tests.kernels.needs import DEVICE, normal, torch  # isort: skip
from kernels import fused_chain

APART = 2**32  # elements; ALIGN brings it back to what 32 bits hold
NARROW, LOOPED = 32, 8208  # one that a program holds, one read in pieces

pytestmark = pytest.mark.skipif(DEVICE != "cpu", reason="tests/gpu has tensors so large")


def _far(path, features: int, seed: int):
    """([2, features] of rows far apart, the same side by side)."""
    near = normal(2, features, seed=seed, dtype=torch.bfloat16)
    size = APART + features
    whole = torch.from_file(str(path), shared=True, size=size, dtype=torch.bfloat16)
    far = whole.as_strided((2, features), (APART, 1))
    far.copy_(near)
    return far, near


@pytest.mark.parametrize("features", [NARROW, LOOPED])
def test_rows_far_apart_are_read_where_they_are(features, tmp_path):
    far, near = zip(
        *(_far(tmp_path / name, features, at) for at, name in enumerate("xrd")), strict=True
    )
    weight, bias = (normal(features, seed=seed) for seed in (3, 4))
    results = []
    for x, residual, dy in (far, near):
        leaves = [tensor.detach().requires_grad_() for tensor in (x, weight, bias)]
        y = fused_chain(leaves[0], residual, *leaves[1:])
        results.append((y.detach(), *torch.autograd.grad(y, leaves, dy)))
    for found, wanted in zip(*results, strict=True):
        assert torch.equal(found, wanted)
