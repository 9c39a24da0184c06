"""Arithmetic of each way to run the chain, counted from its formulas. Standard library only."""

from kernels.traffic import Chain, Direction

# Operations an element as the formulas have them, a transcendental function as one.
_NORM = {"layer": 5, "rms": 3}  # Σx, x − mean, squared, Σ, · rstd; without the first two for rms
_AFFINE = 2
_ACTIVATION = {"gelu": 5, "gelu_tanh": 9, "silu": 4, "relu": 1, "identity": 0}
_DERIVATIVE = {"gelu": 10, "gelu_tanh": 16, "silu": 7, "relu": 1, "identity": 0}
_NORM_BACKWARD = {"layer": 8, "rms": 6}  # x̂ again (2 or 1), dx̂·x̂, its sums, and dx
_AFFINE_BACKWARD = 4  # dx̂ = dh·weight; dh·x̂; the two sums


def flops(chain: Chain, variant: str, direction: Direction) -> int:
    """Arithmetic of a variant. Forward: the same whichever way it is cut.

    Backward: one pass works h out again from x, which costs two operations an
    element more than reading it: fusing buys bytes with arithmetic, never the reverse.
    """
    if direction == "both":
        return flops(chain, variant, "forward") + flops(chain, variant, "backward")
    affine = chain.affine
    if direction == "forward":
        each = _NORM[chain.norm] + affine * _AFFINE + _ACTIVATION[chain.activation] + 1
        return each * chain.elements
    each = _DERIVATIVE[chain.activation] + 1 + _NORM_BACKWARD[chain.norm]
    each += affine * _AFFINE_BACKWARD
    if variant in ("fused", "compiled"):
        each += affine * _AFFINE
    return each * chain.elements
