"""What makes a run's rates doubtful, and whether the scatter of its rounds can explain it."""

from collections.abc import Callable, Iterator

from kernels.lab.evidence import Case, Evidence
from kernels.lab.measures import per_cent

MOST_SHARE = 1.02
"""Of the machine's limit: above it, not all of the counted bytes can have gone to memory."""

MOST_OVER_BYTES = 1.15
"""A speed-up over the ratio of the bytes: above it, something else than the bytes changed too."""

LIMIT = "the machine's limit"
LESS_WAS_MOVED = "some of its bytes did not go to memory"
LESS_WAS_DONE = "it did less arithmetic than was counted"


def suspects(evidence: Evidence, name: Callable[[Case], str] | None = None) -> tuple[str, ...]:
    """The run's own sentences, and one on each rate above the limit; `name` names its case.

    Where the run said itself that a rate is above the limit, it is said once, and more of it.
    """
    said = dict(_above(evidence, name or _place))
    own = (said.get(line, line) for line in evidence.summary.get("suspect", ()))
    return tuple(dict.fromkeys((*own, *said.values())))


def above_limit(name: str, share: float) -> str:
    """What is doubtful about a rate of so many times the machine's limit."""
    return (
        f"{name} reads as {per_cent(share)} of the machine's limit; its bytes may not all have "
        "gone to memory."
    )


def above_bytes(speedup: float, by_bytes: float) -> str:
    """What is doubtful about a speed-up that the bytes do not explain."""
    return (
        f"The speed-up {speedup:.2f} is more than {per_cent(MOST_OVER_BYTES - 1)} above the ratio "
        f"of the bytes, {by_bytes:.2f}."
    )


def above(name: str, case: Case, share: float, of: str, why: str) -> str:
    """What is doubtful about a case that reaches this share of `of`; `why` can be behind it.

    Chance can be behind it as well, unless nearly every round lies above all that there is.
    """
    least, most = (share * case.median_us / time for time in (case.p90_us, case.p10_us))
    rounds = f"{per_cent(least, 1)} to {per_cent(most, 1)} from p10 to p90 of its rounds"
    no_chance = f"no scatter: {why}, or the {of.split()[-1]} was timed low"
    meaning = no_chance if least > 1 else "may be chance"
    which = "That is" if least > 1 else "That"
    return f"{name} reads as {per_cent(share, 1)} of {of}, {rounds}. {which} {meaning}."


def _above(evidence: Evidence, name: Callable[[Case], str]) -> Iterator[tuple[str, str]]:
    """(the sentence that the benchmark prints of it, what is said here) for each such case."""
    for case in evidence.cases:
        share = case.facts.get("share_of_limit") or 0
        if share > MOST_SHARE:
            more = _profiled(case, share)
            yield (
                above_limit(_place(case), share),
                (above(name(case), case, share, LIMIT, LESS_WAS_MOVED) + more),
            )


def _profiled(case: Case, share: float) -> str:
    """What a profiler saw of the counted bytes, where there was one."""
    seen = case.facts.get("bytes_profiled")
    if seen is None:
        return ""
    part = seen / case.fact("bytes")
    return (
        f" The profiler saw {per_cent(part)} of the counted bytes at the memory, which makes "
        f"{per_cent(share * part, 1)} of the limit."
    )


def _place(case: Case) -> str:
    """The case as a benchmark names it."""
    where = f" at {', '.join(str(value) for value in case.at.values())}" if case.at else ""
    return f"{case.variant}{where}"
