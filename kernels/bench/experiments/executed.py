"""The arithmetic in the machine code of the fused and the separate kernels, for an element.

The sum of the partial gradients of weight and bias is left out: it is small.
"""

from collections.abc import Callable

from kernels import plans, separate
from kernels.bench.experiments.sass import an_element
from kernels.bench.experiments.together import together

ALIGN = 16


def executed(x, activation: str, bits: int) -> dict[tuple[str, str], float | None]:
    """{(variant, direction): FLOPs an element}, after each variant ran both ways on such an x.

    None where nothing reads machine code here.
    """
    kernels = _forward(x, activation, bits) | _backward(x, activation, bits)
    counts = together(list(kernels.values()))
    found: dict[tuple[str, str], float | None] = {}
    for (variant, direction, _), count in zip(kernels, counts, strict=True):
        before = found.get((variant, direction), 0.0)
        more = count["flops_executed"]
        found[variant, direction] = None if before is None or more is None else before + more
    return found


Counted = dict[tuple[str, str, str], Callable[[], dict[str, float | None]]]


def _forward(x, activation: str, bits: int) -> Counted:
    def norm(act: str, residual: bool):
        key = (x.device, None, x.shape[-1], x.element_size(), ALIGN)
        plan = plans.forward(*key, ("layer", act, bits), (residual, True, True), True)
        return _each(plan, x.shape[-1])

    how = {"ACTIVATION": activation, "BITS": bits}
    return {
        ("fused", "forward", "chain"): lambda: norm(activation, True),
        ("separate", "forward", "norm"): lambda: norm("identity", False),
        ("separate", "forward", "activation"): lambda: _pointwise(
            separate.activation_forward, (x, x), how
        ),
        ("separate", "forward", "add"): lambda: _pointwise(separate.add_forward, (x, x, x), {}),
    }


def _backward(x, activation: str, bits: int) -> Counted:
    def norm(act: str):
        key = (x.device, None, x.shape[-1], x.element_size(), ALIGN)
        plan = plans.backward(*key, ("layer", act, bits), (True, True), (True, True))
        return _each(plan, x.shape[-1])

    how = {"ACTIVATION": activation, "BITS": bits}
    return {
        ("fused", "backward", "chain"): lambda: norm(activation),
        ("separate", "backward", "norm"): lambda: norm("identity"),
        ("separate", "backward", "activation"): lambda: _pointwise(
            separate.activation_backward, (x, x, x), how
        ),
    }


def _each(plan: plans.Plan, features: int) -> dict[str, float | None]:
    """What the plan's one compiled kernel executes for an element of its tile."""
    tile = plan.rows * features // max(1, plan.blocks)
    return an_element(next(iter(plan.compiled.values())), tile)


def _pointwise(kernel, tensors: tuple, constants: dict) -> dict[str, float | None]:
    """One of the elementwise kernels, compiled (or found compiled) and not started."""
    compiled = kernel.warmup(
        *tensors, tensors[0].numel(), BLOCK=separate._BLOCK, num_warps=separate._WARPS,
        grid=(1,), **constants,
    )  # fmt: skip
    return an_element(compiled, separate._BLOCK)
