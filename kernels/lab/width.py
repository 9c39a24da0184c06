"""How long a row one pass can take: the reduction needs all of it on the chip."""

from operator import truediv

from kernels.lab.conclusion import Answer, Conclusion, Number, Outcome
from kernels.lab.doubts import suspects
from kernels.lab.evidence import Case, Evidence, Incomplete
from kernels.lab.experiment import DTYPE, MODE, Experiment, Question
from kernels.lab.measures import ratio_interval, rounds
from kernels.lab.pictures import Axis, Mark, Plot, Point, Series, Table

STRATEGIES = {"whole": "whole row on the chip", "looped": "row read twice, in pieces"}


def conclude(evidence: Evidence) -> Conclusion:
    """The longest row against the fastest that fits, by the time a byte takes."""
    sweep = evidence.along("features", "fused")
    fitting = [pair for pair in sweep if pair[1].fact("strategy") == "whole"]
    if not fitting:
        raise Incomplete("any row that fits on the chip")
    best, (longest, last) = min((case for _, case in fitting), key=_per_byte), sweep[-1]
    low, high = ratio_interval(_costs(last), _costs(best))
    p10, p90 = rounds(truediv, _costs(last), _costs(best))
    slower = _per_byte(last) / _per_byte(best)
    fits = max(features for features, _ in fitting)
    outcome = Outcome.HOLDS if low > 1 else Outcome.FAILS if high < 1 else Outcome.UNDECIDED
    return Conclusion(
        _sentence(evidence, outcome, slower, longest, fits),
        outcome,
        f"a row of {longest:,} features costs {slower:.2f}× as much a byte as the best that fits",
        Answer(slower, low, high, "95 % of resamplings", p10=p10, p90=p90),
        numbers=(_number(slower, last, best),),
        pictures=(_picture(evidence, sweep),),
        tables=(_table(sweep),),
        notes=tuple(evidence.summary.get("notes", ())),
        suspects=suspects(evidence),
    )


def _per_byte(case: Case) -> float:
    return case.median_us / case.fact("bytes")


def _costs(case: Case) -> list[float]:
    return [sample / case.fact("bytes") for sample in case.samples_us]


def _sentence(evidence: Evidence, outcome: Outcome, slower: float, longest: int, fits: int) -> str:
    where = f"on this {evidence.device_name}"
    if outcome is Outcome.HOLDS:
        return (
            f"Rows of {longest:,} features cost {slower:.2f}× as much a byte as the best row that "
            f"fits {where}; up to {fits:,} features a whole row stays on the chip."
        )
    if outcome is Outcome.FAILS:
        return f"Rows of {longest:,} features cost no more a byte than shorter ones {where}."
    return f"No measurable difference between long and short rows {where}."


def _number(slower: float, last: Case, best: Case) -> Number:
    return Number(
        "Cost a byte, longest row against best",
        slower,
        f"{slower:.2f}×",
        "(time ÷ bytes) of the longest row ÷ (time ÷ bytes) of the best that fits",
        f"({last.median_us:,.1f} µs ÷ {last.fact('bytes') / 1e6:,.1f} MB) ÷ "
        f"({best.median_us:,.1f} µs ÷ {best.fact('bytes') / 1e6:,.1f} MB)",
    )


def _picture(evidence: Evidence, sweep: tuple[tuple[int, Case], ...]) -> Plot:
    def points(strategy: str) -> tuple[Point, ...]:
        chosen = [(x, case) for x, case in sweep if case.fact("strategy") == strategy]
        return tuple(Point(x, case.gb_per_s, *_spread(case)) for x, case in chosen)

    roles = {"whole": "one", "looped": "other"}
    series = [Series(STRATEGIES[key], points(key), roles[key]) for key in STRATEGIES]  # pyright: ignore[reportArgumentType]
    limit = evidence.limit.get("add_gb_per_s")
    return Plot(
        "Rate over the length of a row",
        Axis("features in a row", log=True),
        Axis("rate", "GB/s"),
        tuple(one for one in series if one.points),
        marks=(Mark(limit, "limit"),) if limit else (),
        caption="Median; the thin lines span p10 to p90. The volume is about the same everywhere.",
    )


def _spread(case: Case) -> tuple[float, float]:
    moved = case.fact("bytes") / 1e3
    return moved / case.p90_us, moved / case.p10_us


def _table(sweep: tuple[tuple[int, Case], ...]) -> Table:
    columns = ("Features", "Strategy", "Median, µs", "Rate, GB/s", "Registers a lane", "Spilled, B")
    rows = tuple(
        (
            f"{features:,}", STRATEGIES[case.fact("strategy")], f"{case.median_us:,.1f}",
            f"{case.gb_per_s:,.0f}", _counted(case, "registers"), _counted(case, "spills"),
        )
        for features, case in sweep
    )  # fmt: skip
    return Table("Each length", columns, rows)


def _counted(case: Case, fact: str) -> str:
    """A count out of the compiled kernel; a dash where it could not be read."""
    count = case.facts.get(fact)
    return "–" if count is None else f"{count:,}"


EXPERIMENT = Experiment(
    name="width",
    title="How long a row one pass can hold",
    claim="The reduction over the features sets how far one can fuse.",
    shown=(
        "The fused forward on rows of 64 to 65,536 features at one volume: its rate, its registers "
        "and how the kernel works on such a row."
    ),
    question=Question(
        "How many times as much will a byte cost in the longest rows as in the best that fit?"
    ),
    parameters={"dtype": DTYPE, "mode": MODE},
    conclude=conclude,
    no_cpu="The width experiment reads registers and spills of GPU kernels; a processor has none.",
)
