"""The sections of `limits` after its table: small sizes, other chains, shapes of one volume.

They are measured in the process that prints them; its kernels were compiled by the
table's processes.
"""

from collections.abc import Sequence

from kernels.bench import machine
from kernels.bench.bars import Measured, Verdict, evenness_verdicts, share_verdicts
from kernels.bench.cases import EVEN_FEATURES, VOLUME, even, others
from kernels.bench.protocol import Request
from kernels.bench.table import line


def small_sizes() -> list[Verdict]:
    """Sizes at which starting the kernels takes longer than they do."""
    from kernels.bench import small

    print(f"# Small sizes; {_launcher()}")
    said, verdicts = small.lines()
    print("\n".join(said))
    show(verdicts)
    return verdicts


def _launcher() -> str:
    """Builds the launcher in C++, if that can be done here, and says what starts the kernels."""
    from kernels.native import calls
    from kernels.native.build import BuildError, build

    try:
        build()
    except BuildError as fault:
        return f"fused kernels are started from Python: {fault}"
    calls.extension.cache_clear()
    if calls.extension() is None:
        return "fused kernels are started from Python: the launcher in C++ does not load here"
    return "fused kernels are started from C++ where a gradient is wanted"


def other_chains() -> list[Verdict]:
    """Other dtypes, norms and activations."""
    print("# Other dtypes, norms and activations")
    found = _fused_alone(others(), check=True)
    for measured in found:
        print(line(measured), flush=True)
    return share_verdicts(found)


def evenness() -> list[Verdict]:
    """Rows of many lengths, of one volume."""
    print(f"# Shares over rows of {', '.join(map(str, EVEN_FEATURES))} features, {VOLUME} elements")
    found = _fused_alone(even(), check=False)
    for kind in dict.fromkeys((m.request.dtype, m.request.direction) for m in found):
        shares = [m.share for m in found if (m.request.dtype, m.request.direction) == kind]
        print(f"{' '.join(kind):<14}" + " ".join(f"{share:.2f}" for share in shares), flush=True)
    verdicts = evenness_verdicts(found)
    show(verdicts)
    return verdicts


def show(verdicts: Sequence[Verdict]) -> None:
    """Print them, a line each."""
    print("\n".join(map(str, verdicts)), flush=True)


def _fused_alone(cases: Sequence[Request], check: bool) -> list[Measured]:
    import torch

    from kernels.bench.race import fused, race

    l2_bytes = machine.gpu(torch)["l2_bytes"]
    return [race(request, {"fused": fused(request)}, l2_bytes, check) for request in cases]
