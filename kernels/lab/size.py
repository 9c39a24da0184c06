"""At which volumes the count of bytes sets the speed-up: launches, the cache, memory."""

from collections.abc import Collection, Iterable

from kernels.lab import size_numbers, size_pictures, size_words
from kernels.lab.conclusion import Answer, Conclusion, Outcome
from kernels.lab.evidence import Evidence
from kernels.lab.experiment import DTYPE, MODE, Experiment, Kind, Question
from kernels.lab.gains import IN_A_GRAPH, NEAR, ONE_BY_ONE, Bounds, Gain, bounds_of, gains_of
from kernels.lab.measures import per_cent
from kernels.lab.size_pictures import words

CHOICES = {
    "1MB": (1e6, "up to 1 MB"),
    "10MB": (1e7, "1 to 10 MB"),
    "100MB": (1e8, "10 to 100 MB"),
    "1GB": (1e9, "100 MB to 1 GB"),
    "more": (float("inf"), "more than 1 GB"),
}


def conclude(evidence: Evidence) -> Conclusion:
    """The gain at every volume against the ratio of the bytes, by both cases' samples."""
    gains, graphed = gains_of(evidence, *ONE_BY_ONE), gains_of(evidence, *IN_A_GRAPH)
    bounds = bounds_of(evidence)
    bound = [gain for gain in gains if gain.volume >= bounds.memory]
    outcome = _outcome(bound, (*gains, *graphed))
    last, start = gains[-1], _start(gains)
    return Conclusion(
        size_words.sentence(evidence, outcome, gains, start),
        outcome,
        f"{last.by_bytes:.2f}× by bytes; {last.ratio:.2f}× measured at {words(last.volume)}",
        Answer(choice=None if outcome is Outcome.UNDECIDED else _choice(start)),
        numbers=size_numbers.numbers(evidence, bounds, last),
        pictures=size_pictures.pictures(evidence, gains, graphed, bounds),
        tables=(size_pictures.table(evidence, gains, graphed),),
        notes=(
            *evidence.summary.get("notes", ()),
            *_notes(bounds, last),
            *size_words.behind_graph(evidence, bound),
        ),
        suspects=(*evidence.summary.get("suspect", ()), *_suspects(evidence, bound)),
    )


def _outcome(bound: Collection[Gain], everywhere: Collection[Gain]) -> Outcome:
    """Where nothing was measured that memory alone should set the time of, it is not decided."""
    if all(gain.near for gain in everywhere):
        return Outcome.FAILS
    if not bound:
        return Outcome.UNDECIDED
    if all(gain.near is False for gain in bound):
        return Outcome.FAILS
    departs = any(gain.near is False for gain in everywhere)
    holds = departs and all(gain.near for gain in bound)
    return Outcome.HOLDS if holds else Outcome.UNDECIDED


def _start(gains: tuple[Gain, ...]) -> Gain | None:
    """The smallest volume from which on bytes predict the gain; None without one."""
    start = None
    for gain in reversed(gains):
        if not gain.near:
            break
        start = gain
    return start


def _choice(start: Gain | None) -> str:
    if start is None:
        return "never"
    volume = start.volume / 1.01  # volumes are whole rows, so a hundredth off what was meant
    return next(name for name, (most, _) in CHOICES.items() if volume <= most)


def _notes(bounds: Bounds, last: Gain) -> Iterable[str]:
    yield (
        f"'Right' means within {per_cent(NEAR)} of the ratio of the bytes, with the whole "
        "interval: no two kernels reach quite the same share of the memory's rate."
    )
    if not bounds.cache:
        yield "This system does not say how large the cache is, so no region is marked for it."
    if last.volume < bounds.memory:
        yield (
            f"The largest volume measured, {words(last.volume)}, is under the "
            f"{words(bounds.memory)} from which memory alone should set the time here."
        )


def _suspects(evidence: Evidence, bound: Iterable[Gain]) -> Iterable[str]:
    limit = evidence.limit["add_gb_per_s"]
    for gain in bound:
        rate = evidence.case("fused", volume=gain.volume).gb_per_s
        if rate > 1.02 * limit:
            share = per_cent(rate / limit)
            yield f"One pass at {words(gain.volume)} reads as {share} of the limit."
        if gain.ratio > 1.15 * gain.by_bytes:
            yield f"The gain at {words(gain.volume)} is over 15 % above the ratio of the bytes."


EXPERIMENT = Experiment(
    name="size",
    title="From which size on bytes set the time",
    claim="The count of 7 to 3 holds where memory sets the time, and not in smaller tensors.",
    shown=(
        "The chain at volumes of 10 kB to 10 GB, by PyTorch's operators, by separate kernels, in "
        "one pass, and in a CUDA graph: which volumes are bound by launches, which stay in the "
        "cache, and from where on memory sets the time."
    ),
    question=Question(
        "Called one by one, from which volume on (what one pass moves) is one pass as much "
        "faster as its bytes say, to within 10 %?",
        Kind.CHOICE,
        {**{name: words for name, (_, words) in CHOICES.items()}, "never": "nowhere up to 10 GB"},
    ),
    parameters={"dtype": DTYPE, "mode": MODE},
    conclude=conclude,
    on_cpu={"dtype": "fp32"},
)
