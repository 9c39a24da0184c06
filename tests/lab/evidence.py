"""Events as a run would print them, from samples that a test makes up."""

from collections.abc import Sequence

from kernels.lab import EXPERIMENTS
from kernels.lab.conclusion import Conclusion
from kernels.lab.evidence import Evidence, evidence_of
from kernels.lab.measures import times


def around(microseconds: float, n: int = 30) -> list[float]:
    """Samples with a known median and a spread of ± 1 %."""
    return [microseconds * (1 + 0.01 * (2 * i / (n - 1) - 1)) for i in range(n)]


def result(variant: str, samples: Sequence[float] | float, at: dict | None = None, **facts) -> dict:
    """A result line; a number stands for samples around it."""
    taken = around(samples) if isinstance(samples, int | float) else samples
    return {"event": "result", "variant": variant, "at": at or {}, **times(taken), **facts}


def device(experiment: str, kind: str = "cuda", **parameters) -> dict:
    """A device line."""
    facts = {"id": "x", "name": "Test Device", "l2_bytes": 50_000_000, "multiprocessors": 100}
    said = {"kind": kind, "at": "2026-01-02T03:04:05+00:00", "versions": {}}
    return {"event": "device", "experiment": experiment, "parameters": parameters, **said, **facts}


def evidence(experiment: str, *events: dict, kind: str = "cuda", **parameters) -> Evidence:
    """A run with these results (and limits) as evidence."""
    summary = {"event": "summary", "method": {}, "notes": [], "suspect": []}
    return evidence_of((device(experiment, kind, **parameters), *events, summary))


def concluded(experiment: str, *events: dict, kind: str = "cuda", **parameters) -> Conclusion:
    """What the experiment concludes of these results (and limits)."""
    return EXPERIMENTS[experiment].conclude(evidence(experiment, *events, kind=kind, **parameters))
