"""The width experiment's program up to its timing, small, without a GPU."""

import pytest

from tests.kernels.needs import DEVICE, torch  # isort: skip
from kernels import plans
from kernels.bench.experiments import width
from kernels.forward import chain_forward
from kernels.lab import EXPERIMENTS
from kernels.looped import looped_forward
from kernels.team_forward import team_forward

WAYS = {chain_forward: "whole", team_forward: "team", looped_forward: "looped"}
LONG = "team" if DEVICE == "cuda" else "looped"


class Bench:
    """What the program needs of a run, on whatever device the tests have."""

    asked = EXPERIMENTS["width"].asked("cuda", {"dtype": "fp32"})

    def __init__(self):
        self.errors = []

    def sets(self, _bytes):
        return 2

    def inputs(self, rows, features, dtype):
        shapes = ((rows, features), (rows, features), (features,), (features,))
        return tuple(torch.randn(shape, device=DEVICE, dtype=dtype) for shape in shapes)

    def check(self, _variant, _quantity, found, exact, cap):
        error = (found.double() - exact).norm() / exact.norm()
        self.errors.append(float(error))
        assert error <= cap


@pytest.mark.parametrize(("features", "strategy"), [(64, "whole"), (40_000, LONG)])
def test_a_length_is_checked_counted_and_told_how_it_is_worked_on(features, strategy, monkeypatch):
    monkeypatch.setattr(width, "ELEMENTS", 2 * features)
    bench = Bench()
    timing = width._prepared(bench, features, torch.float32)
    assert bench.errors and timing.at == {"features": features}
    assert timing.facts["strategy"] == strategy
    # x, residual and y of two rows, weight and bias; no statistics, which this call doesn't write
    assert timing.facts["bytes"] == 3 * 4 * 2 * features + 2 * 4 * features
    assert [call()[0].shape for call in timing.calls] == [(2, features)] * 2


def test_what_is_told_of_a_row_is_what_its_kernel_does():
    for features in (width.FULL[0], width.FULL[-1]):
        x = torch.zeros(1, features, device=DEVICE)
        how, has = ("layer", "gelu", 24), (True, True, True)
        plan = plans.forward(x.device, None, features, 4, 16, how, has, False)
        assert width._facts(x)["strategy"] == WAYS[plan.kernel]
