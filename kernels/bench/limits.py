"""How near the kernels come to the machine's limit: one table, with its bars.

Shares, speed-ups and errors case by case (kernels/bench/bars.py says what they
are and what they must reach), beside them peers where they are installed; then
QuACK's norms alone (kernels/bench/alone.py), which judge nothing, and then
kernels/bench/sections.py. Everything is compiled beforehand by many processes at
once (torch.compile's autotuning too, which so measures among others); what is timed
here is timed alone. A bar missed is marked and makes the exit code 1. Beside
"compiled" is the faster of torch.compile's modes, case by case.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from kernels.bench import alone, machine, provenance, sections
from kernels.bench.bars import Measured, Verdict, case_name, peer_verdicts, share_verdicts
from kernels.bench.cases import DIRECTIONS, MODES, even, others, requests
from kernels.bench.emit import Failure
from kernels.bench.table import HEAD, line
from kernels.bench.workers import Worker, succeeds

Found = TypeVar("Found")


def run() -> None:
    """Print the table; Failure where a bar is missed."""
    torch = machine.need_gpu()
    versions = provenance.versions()
    print(f"# {machine.gpu(torch)['name']}, torch {versions['torch']}, Triton {versions['triton']}")
    print(f"# {provenance.now()}, kernels {versions['kernels_sha256'][:12]}")
    print(f"# torch.compile: the faster of {' and '.join(MODES)}", flush=True)
    failed: list[str] = []
    table, norms = _stage("compiling", lambda: prepared(failed))
    verdicts = _stage("the table", lambda: _table(table, failed))
    _stage("norms alone", lambda: alone.section(norms))
    verdicts += _stage("small sizes", sections.small_sizes)
    verdicts += _stage("other chains", sections.other_chains)
    verdicts += _stage("evenness", sections.evenness)
    missed = sum(not verdict.reached for verdict in verdicts)
    print(f"# {provenance.now()}: {len(verdicts) - missed} of {len(verdicts)} bars are reached.")
    if missed or failed:
        raise Failure(
            "bar_missed",
            f"{missed} of {len(verdicts)} bars are missed, {len(failed)} shapes not measured.",
        )


def _stage(what: str, stage: Callable[[], Found]) -> Found:
    """What the stage comes to; a line says when it ended and how long it took."""
    start = time.monotonic()
    found = stage()
    print(f"# {provenance.now()}: {what} took {time.monotonic() - start:.0f} s", flush=True)
    return found


def prepared(failed: list[str]) -> tuple[list[Worker], list[Worker]]:
    """The workers that compiled: of the table, the others a line in `failed`; of norms alone."""
    shapes = list(dict.fromkeys(replace(request, direction="both") for request in requests()))
    rest = list(dict.fromkeys(replace(r, direction="both") for r in (*others(), *even())))
    table = [Worker(shape, rest[i :: len(shapes)]) for i, shape in enumerate(shapes)]
    norms = alone.workers()
    return _ready(table, failed), _ready(norms, [])


def _ready(workers: Sequence[Worker], failed: list[str]) -> list[Worker]:
    """Those that compiled; a line says what kept the last of them."""
    ready = [worker for worker in workers if succeeds(worker.ready, failed)]
    for last in sorted(ready, key=lambda worker: sum(worker.spent.values()))[-1:]:
        spent = ", ".join(f"{what} {seconds:.0f} s" for what, seconds in last.spent.items())
        print(f"# the longest to compile, {case_name(last.shape)}: {spent}", flush=True)
    return ready


def _table(workers: Sequence[Worker], failed: list[str]) -> list[Verdict]:
    print(HEAD, flush=True)
    found: list[Measured] = []

    def measure(worker: Worker) -> None:
        for measured in worker.measure((*DIRECTIONS, "both")):
            print(line(measured), flush=True)
            found.append(measured)

    for worker in workers:
        succeeds(partial(measure, worker), failed)
    summary = peer_verdicts(found)
    sections.show(summary)
    return share_verdicts(found) + summary
