"""How near the kernels come to the machine's limit: one table, with its bars.

Shares, speed-ups and errors case by case (kernels/bench/bars.py says what they
are and what they must reach), then other norms, activations and dtypes, shapes
of one volume, small sizes, and peers where they are installed. Everything is
compiled beforehand by many processes at once (torch.compile's autotuning too, which
so measures among others); what is timed here is timed alone. A bar missed is marked
and makes the exit code 1.
"""

from collections.abc import Sequence
from dataclasses import replace

from kernels.bench import machine
from kernels.bench.bars import (
    Measured,
    Verdict,
    bar_of,
    case_name,
    evenness_verdicts,
    peer_verdicts,
    share_verdicts,
)
from kernels.bench.cases import DIRECTIONS, EVEN_FEATURES, VOLUME, even, others, requests
from kernels.bench.emit import Failure
from kernels.bench.protocol import Request
from kernels.bench.workers import Worker

COLUMNS = ("separate", "eager", "compiled", "liger")


def line(measured: Measured) -> str:
    """A case's line in the table."""
    r = measured.request
    peers = [measured.faster_than(name) for name in COLUMNS]
    bar = f"{bar_of(r):7.2f}" if r.direction in DIRECTIONS else " " * 7
    missed = r.direction in DIRECTIONS and measured.share < bar_of(r)
    return (
        f"{case_name(r):<34}{measured.us['fused']:9.1f}{measured.share:8.3f}{bar}  "
        + "  ".join(" " * 8 if ratio is None else f"{ratio:8.2f}" for ratio in peers)
        + (" " * 11 if measured.error is None else f"  {measured.error:9.1e}")
        + ("  missed" if missed else "")
    )


HEAD = (
    f"{'case':<34}{'µs':>9}{'share':>8}{'bar':>7}  "
    + "  ".join(f"{'× ' + name[:6]:>8}" for name in COLUMNS)
    + f"  {'error':>9}"
)


def run() -> None:
    """Print the table; Failure where a bar is missed."""
    torch = machine.need_gpu()
    versions = machine.versions()
    print(f"# {machine.gpu(torch)['name']}, torch {versions['torch']}, Triton {versions['triton']}")
    print(f"# {machine.now()}, kernels {versions['kernels_sha256'][:12]}", flush=True)
    verdicts = _table(prepared())
    for section in (_others, _evenness, _small):
        verdicts += section()
    missed = sum(not verdict.reached for verdict in verdicts)
    print(f"# {machine.now()}: {len(verdicts) - missed} of {len(verdicts)} bars are reached.")
    if missed:
        raise Failure("bar_missed", f"{missed} of {len(verdicts)} bars are missed.")


def prepared() -> list[Worker]:
    """A worker for each shape and dtype of the table, when all of them have compiled."""
    shapes = list(dict.fromkeys(replace(request, direction="both") for request in requests()))
    rest = list(dict.fromkeys(replace(r, direction="both") for r in (*others(), *even())))
    workers = [Worker(shape, rest[i :: len(shapes)]) for i, shape in enumerate(shapes)]
    for worker in workers:
        worker.ready()
    return workers


def _table(workers: Sequence[Worker]) -> list[Verdict]:
    print(HEAD, flush=True)
    found = []
    for worker in workers:
        for measured in worker.measure((*DIRECTIONS, "both")):
            print(line(measured), flush=True)
            found.append(measured)
    summary = peer_verdicts(found)
    _show(summary)
    return share_verdicts(found) + summary


def _fused_alone(cases: Sequence[Request], check: bool) -> list[Measured]:
    import torch

    from kernels.bench.race import fused, race

    l2_bytes = machine.gpu(torch)["l2_bytes"]
    return [race(request, {"fused": fused(request)}, l2_bytes, check) for request in cases]


def _others() -> list[Verdict]:
    print("# Other dtypes, norms and activations")
    found = _fused_alone(others(), check=True)
    for measured in found:
        print(line(measured), flush=True)
    return share_verdicts(found)


def _evenness() -> list[Verdict]:
    print(f"# Shares over rows of {', '.join(map(str, EVEN_FEATURES))} features, {VOLUME} elements")
    found = _fused_alone(even(), check=False)
    for kind in dict.fromkeys((m.request.dtype, m.request.direction) for m in found):
        shares = [m.share for m in found if (m.request.dtype, m.request.direction) == kind]
        print(f"{' '.join(kind):<14}" + " ".join(f"{share:.2f}" for share in shares), flush=True)
    verdicts = evenness_verdicts(found)
    _show(verdicts)
    return verdicts


def _small() -> list[Verdict]:
    from kernels.bench import small

    print("# Small sizes")
    said, verdicts = small.lines()
    print("\n".join(said))
    _show(verdicts)
    return verdicts


def _show(verdicts: Sequence[Verdict]) -> None:
    print("\n".join(map(str, verdicts)), flush=True)
