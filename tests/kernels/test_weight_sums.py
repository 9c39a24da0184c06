"""The sums of partial sums, however many rows of them there are, rehearsed or not."""

import pytest

from tests.kernels.needs import DEVICE, normal, torch  # isort: skip
from kernels.weight_sums import sum_partials

FEATURES, COLUMNS, ROWS = 20, 8, 16


def _summed(partial, rehearse: bool, dtypes=(torch.float32, torch.bfloat16)) -> list:
    found = [torch.full((FEATURES,), float("nan"), dtype=t, device=DEVICE) for t in dtypes]
    grid = (-(-FEATURES // COLUMNS), 2)
    rows = partial.shape[1]
    sum_partials[grid](partial, *found, rows, 2, FEATURES, COLUMNS, ROWS, False, rehearse)
    return found


@pytest.mark.parametrize("rows", [1, 15, 16, 17, 70])
@pytest.mark.parametrize("rehearse", [False, True])
def test_every_row_is_added_once(rows, rehearse):
    partial = normal(2, rows, FEATURES, seed=rows)
    dweight, dbias = _summed(partial, rehearse)
    wanted = partial.double().sum(1)
    torch.testing.assert_close(dweight.double(), wanted[0], rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(dbias.double(), wanted[1], rtol=2**-7, atol=1e-5)


def test_a_rehearsal_changes_no_bit():
    partial = normal(2, 70, FEATURES)
    for plain, rehearsed in zip(_summed(partial, False), _summed(partial, True), strict=True):
        assert torch.equal(plain, rehearsed)
