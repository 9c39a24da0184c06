"""Checking some rows of large results against float64."""

from kernels.bench.harness import Bench

CAPS = {2: 1e-2, 4: 2e-6}
"""For ‖found − exact‖ / ‖exact‖ by the bytes of an element, as in kernels/bench/correct.py."""

MOST = 256


def check_rows(bench: Bench, variant: str, y, inputs: tuple) -> None:
    """The first and the last rows of a forward: the last are past 2³¹ elements, if any are.

    `inputs` are (x, residual, weight, bias), y and x of [rows, features].
    """
    from kernels.reference import exact_chain

    x, residual, weight, bias = inputs
    rows = bench.torch.arange(min(MOST, len(x)), device=x.device)
    rows = bench.torch.cat((rows, len(x) - 1 - rows))
    exact = exact_chain(x[rows], residual[rows], weight, bias)
    bench.check(variant, f"y of {len(x)} rows", y[rows], exact, CAPS[x.element_size()])
