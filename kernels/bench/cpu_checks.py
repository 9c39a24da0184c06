"""The checks of the chain's edition for a processor: its variants, and the Triton kernels."""

from collections.abc import Callable

from kernels.bench import cpu_chains, machine
from kernels.bench.checks import judged, must_pass
from kernels.bench.emit import Failure, emit

CAP = 1e-5
CHECKED = slice(0, 512)


def check(torch, calls: dict[str, Callable], tensors: dict) -> None:
    """Every variant against float64 on up to 512 rows, its output poisoned before."""
    exact = {
        "pointwise": cpu_chains.exact_pointwise(tensors, CHECKED),
        "chain": cpu_chains.exact_norm_chain(torch, tensors, CHECKED),
    }
    for name, call in calls.items():
        which = "chain" if name.startswith("chain_") else "pointwise"
        tensors[which].fill_(float("nan"))
        call()
        _report(name, tensors[which][CHECKED], exact[which])
        if not bool(torch.isfinite(tensors[which]).all()):
            raise Failure("wrong_result", f"{name} left a part of its output unwritten.")


def check_kernels(torch) -> str:
    """The Triton kernels on a tiny shape, in the interpreter: indexing and masks, untimed.

    Says in a sentence what was done. The interpreter of some versions of Triton breaks
    over newer versions of NumPy; that is no fault of what is timed.
    """
    if not machine.has_triton():
        return "Triton is not installed here, so its kernels were neither checked nor timed."
    from triton.runtime.errors import InterpreterError

    from kernels import fused_chain, separate_chain
    from kernels.reference import exact_chain

    inputs = [torch.randn(*shape) for shape in ((5, 40), (5, 40), (40,), (40,))]
    try:
        found = [(chain.__name__, chain(*inputs)) for chain in (fused_chain, separate_chain)]
    except InterpreterError as fault:
        return f"Triton's interpreter does not run here, so its kernels were not checked: {fault}."
    for name, y in found:
        _report(f"triton_{name.removesuffix('_chain')}", y, exact_chain(*inputs))
    return "The Triton kernels were checked in Triton's interpreter and not timed."


def _report(variant: str, found, exact) -> None:
    from kernels.reference import error

    said = judged(variant, "y", error(found, exact), CAP)
    emit("check", **said, when="before")
    must_pass(said)
