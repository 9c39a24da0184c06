"""How near the kernels come to the machine's limit: one table, with its bars.

Shares, speed-ups and errors case by case (kernels/bench/bars.py says what they
are and what they must reach), then other norms, activations and dtypes, shapes
of one volume, small sizes, and peers where they are installed. Everything is
compiled beforehand by many processes at once (torch.compile's autotuning too, which
so measures among others); what is timed here is timed alone. A bar missed is marked
and makes the exit code 1. Beside "compiled" is the faster of torch.compile's modes
(kernels/bench/cases.py: which are tried where).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from kernels.bench import machine, provenance
from kernels.bench.bars import (
    Measured,
    Verdict,
    evenness_verdicts,
    peer_verdicts,
    share_verdicts,
)
from kernels.bench.cases import (
    DIRECTIONS,
    EVEN_FEATURES,
    MODES,
    VOLUME,
    even,
    modes,
    others,
    requests,
)
from kernels.bench.emit import Failure
from kernels.bench.protocol import Request
from kernels.bench.table import HEAD, line
from kernels.bench.workers import Worker


def run() -> None:
    """Print the table; Failure where a bar is missed."""
    torch = machine.need_gpu()
    versions = provenance.versions()
    print(f"# {machine.gpu(torch)['name']}, torch {versions['torch']}, Triton {versions['triton']}")
    print(f"# {provenance.now()}, kernels {versions['kernels_sha256'][:12]}", flush=True)
    tried = sum(len(modes(request)) > 1 for request in requests()) // len((*DIRECTIONS, "both"))
    print(
        f"# torch.compile: the faster of {' and '.join(MODES)} for {tried} shapes, else {MODES[0]}"
    )
    failed: list[str] = []
    verdicts = _table(prepared(failed), failed)
    for section in (_small, _others, _evenness):
        verdicts += section()
    missed = sum(not verdict.reached for verdict in verdicts)
    print(f"# {provenance.now()}: {len(verdicts) - missed} of {len(verdicts)} bars are reached.")
    if missed or failed:
        raise Failure(
            "bar_missed",
            f"{missed} of {len(verdicts)} bars are missed, {len(failed)} shapes not measured.",
        )


def prepared(failed: list[str]) -> list[Worker]:
    """A worker for each shape and dtype of the table that compiled; else a line in `failed`."""
    shapes = list(dict.fromkeys(replace(request, direction="both") for request in requests()))
    rest = list(dict.fromkeys(replace(r, direction="both") for r in (*others(), *even())))
    workers = [Worker(shape, rest[i :: len(shapes)]) for i, shape in enumerate(shapes)]
    ready = [worker for worker in workers if _succeeds(worker.ready, failed)]
    print(f"# {provenance.now()}: compiled", flush=True)
    return ready


def _table(workers: Sequence[Worker], failed: list[str]) -> list[Verdict]:
    print(HEAD, flush=True)
    found: list[Measured] = []

    def measure(worker: Worker) -> None:
        for measured in worker.measure((*DIRECTIONS, "both")):
            print(line(measured), flush=True)
            found.append(measured)

    for worker in workers:
        _succeeds(partial(measure, worker), failed)
    summary = peer_verdicts(found)
    _show(summary)
    return share_verdicts(found) + summary


def _succeeds(attempt: Callable[[], None], failed: list[str]) -> bool:
    """Whether it does; one shape that can't be measured must not cost the others."""
    try:
        attempt()
    except Failure as failure:
        failed.append(str(failure))
        print(f"# {failure}", flush=True)
        return False
    return True


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
