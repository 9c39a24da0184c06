"""The passes over memory of each way to run the chain, counted from its definition.

Standard library only. The variants are those of kernels/traffic.py.
"""

from kernels.transfers import ITEMSIZE, Chain, Stage, Transfer

IN_ONE_PASS = ("fused", "compiled")


def forward(chain: Chain, variant: str) -> tuple[Stage, ...]:
    """The passes of the forward in order."""
    in_one = variant in IN_ONE_PASS
    return _forward_in_one(chain, variant) if in_one else _forward_in_three(chain, variant)


def backward(chain: Chain, variant: str) -> tuple[Stage, ...]:
    """The passes of the backward in order."""
    if variant in IN_ONE_PASS:
        return _backward_in_one(chain, variant)
    return _backward_eager(chain) if variant == "eager" else _backward_in_two(chain)


def _tensors(chain: Chain, *names: str) -> tuple[Transfer, ...]:
    return tuple(Transfer(name, chain.tensor_bytes) for name in names)


def _vectors(chain: Chain) -> tuple[Transfer, ...]:
    if not chain.affine:
        return ()
    return (Transfer("weight, bias", 2 * chain.features * ITEMSIZE[chain.dtype]),)


def _statistics(chain: Chain) -> tuple[Transfer, ...]:
    a_row = 8 if chain.norm == "layer" else 4
    return (Transfer("mean, 1/std" if a_row == 8 else "1/rms", a_row * chain.rows),)


def _saved(chain: Chain, variant: str) -> tuple[Transfer, ...]:
    """The statistics where the forward writes them: PyTorch's norm does in any case."""
    return _statistics(chain) if chain.saves or variant == "eager" else ()


def _forward_in_one(chain: Chain, variant: str) -> tuple[Stage, ...]:
    reads = _tensors(chain, "x", "residual") + _vectors(chain)
    writes = _tensors(chain, "y") + _saved(chain, variant)
    return (Stage("norm + activation + add", reads, writes),)


def _forward_in_three(chain: Chain, variant: str) -> tuple[Stage, ...]:
    h, g = _tensors(chain, "h", "g")
    x, residual, y = _tensors(chain, "x", "residual", "y")
    return (
        Stage("norm", (x, *_vectors(chain)), (h, *_saved(chain, variant))),
        Stage("activation", (h,), (g,)),
        Stage("add", (g, residual), (y,)),
    )


def _sums(chain: Chain) -> tuple[tuple[Transfer, ...], tuple[Stage, ...]]:
    """What the backward writes for the weights' gradients, and the stage that adds it up."""
    if not chain.affine:
        return (), ()
    partial = Transfer("partial dweight, dbias", 8 * chain.programs * chain.features)
    done = Transfer("dweight, dbias", 2 * chain.features * ITEMSIZE[chain.dtype])
    return (partial,), (Stage("sum of partials", (partial,), (done,)),)


def _backward_in_one(chain: Chain, variant: str) -> tuple[Stage, ...]:
    if variant == "fused" and chain.in_two_passes:
        return _backward_of_long_rows(chain, "dy")
    partial, summed = _sums(chain)
    reads = _tensors(chain, "dy", "x") + _statistics(chain) + _vectors(chain)
    return (Stage("whole backward", reads, _tensors(chain, "dx") + partial), *summed)


def _backward_in_two(chain: Chain) -> tuple[Stage, ...]:
    first = Stage("activation backward", _tensors(chain, "dy", "h"), _tensors(chain, "dh"))
    if chain.in_two_passes:
        return (first, *_backward_of_long_rows(chain, "dh"))
    partial, summed = _sums(chain)
    reads = _tensors(chain, "dh", "x") + _statistics(chain) + _vectors(chain)
    return (first, Stage("norm backward", reads, _tensors(chain, "dx") + partial), *summed)


def _backward_of_long_rows(chain: Chain, gradient: str) -> tuple[Stage, ...]:
    """Two passes: each row's two means first, then a block of columns to a program."""
    partial, summed = _sums(chain)
    reads = _tensors(chain, gradient, "x") + _statistics(chain) + _vectors(chain)
    means = (Transfer("means of rows", 8 * chain.rows),)
    return (
        Stage("row means", reads, means),
        Stage("column blocks", reads + means, _tensors(chain, "dx") + partial),
        *summed,
    )


def _backward_eager(chain: Chain) -> tuple[Stage, ...]:
    reads = _tensors(chain, "dh", "x") + _statistics(chain)
    done = (Transfer("dweight, dbias", 2 * chain.features * ITEMSIZE[chain.dtype]),)
    stages = (
        Stage("activation backward", _tensors(chain, "dy", "h"), _tensors(chain, "dh")),
        Stage("norm backward", reads + _vectors(chain), _tensors(chain, "dx")),
    )
    return (*stages, Stage("weights' gradients", reads, done)) if chain.affine else stages
