"""How long a row one pass can take: the reduction needs all of it on the chip."""

from collections.abc import Iterable
from operator import truediv

from kernels.lab.conclusion import Answer, Conclusion, Number, Outcome
from kernels.lab.doubts import suspects
from kernels.lab.evidence import Case, Evidence, Incomplete
from kernels.lab.experiment import DTYPE, MODE, Experiment, Question
from kernels.lab.measures import ratio_interval, rounds, us
from kernels.lab.width_pictures import Sweep, picture, table

ASKED = 65_536
"""Features of the row that the guess is about: full runs go further, and a guess made before
either kind of run must mean the same."""

NOTES = {
    "team": (
        "In a team each program keeps its own columns of a row on the chip, and the programs tell "
        "each other their sums: the row is still read once."
    ),
    "looped": (
        "Bytes are the three tensors that one pass has to move, however often a row is read: the "
        "rate of a row that is read twice is that of its useful bytes."
    ),
}
"""What is to be said of a way to work on a row, where rows were worked on so."""


def conclude(evidence: Evidence) -> Conclusion:
    """The longest row asked about against the fastest that fits, by the time a byte takes."""
    sweep = evidence.along("features", "fused")
    fitting = [pair for pair in sweep if pair[1].fact("strategy") == "whole"]
    if not fitting:
        raise Incomplete("any row that fits on the chip")
    best_row = min(fitting, key=lambda pair: _per_byte(pair[1]))
    best = best_row[1]
    (longest, last), *beyond = _from_the_asked_on(sweep)
    low, high = ratio_interval(_costs(last), _costs(best))
    p10, p90 = rounds(truediv, _costs(last), _costs(best))
    slower = _per_byte(last) / _per_byte(best)
    outcome = Outcome.HOLDS if low > 1 else Outcome.FAILS if high < 1 else Outcome.UNDECIDED
    return Conclusion(
        _sentence(evidence, outcome, slower, sweep, best_row[0])
        + _further(" Rows of {} cost {}.", beyond, best, "each "),
        outcome,
        f"a row of {longest:,} features{_worked_on(last)} costs {slower:.2f}× as much a byte as "
        f"the best that fits{_further('; one of {} {}', beyond, best)}",
        Answer(slower, low, high, "95 % of resamplings", p10=p10, p90=p90),
        numbers=tuple(_number(*pair, *best_row) for pair in ((longest, last), *beyond)),
        pictures=(picture(evidence, sweep),),
        tables=(table(sweep),),
        notes=(*evidence.summary.get("notes", ()), *_notes(sweep)),
        suspects=suspects(evidence),
    )


def _from_the_asked_on(sweep: Sweep) -> Sweep:
    """The longest row of those up to ASKED, and all that are longer."""
    reached = max(1, sum(features <= ASKED for features, _ in sweep))
    return sweep[reached - 1 :]


def _per_byte(case: Case) -> float:
    return case.median_us / case.fact("bytes")


def _costs(case: Case) -> list[float]:
    return [sample / case.fact("bytes") for sample in case.samples_us]


def _sentence(evidence: Evidence, outcome: Outcome, slower: float, sweep: Sweep, best: int) -> str:
    where, (longest, last) = f"on this {evidence.device_name}", _from_the_asked_on(sweep)[0]
    if outcome is Outcome.HOLDS:
        return (
            f"Rows of {longest:,} features{_worked_on(last, 'each ')} cost {slower:.2f}× as much a "
            f"byte as rows of {best:,}, the best that fit in one program {where}; {_fits(sweep)}."
        )
    if outcome is Outcome.FAILS:
        return f"Rows of {longest:,} features cost no more a byte than shorter ones {where}."
    return f"No measurable difference between long and short rows {where}."


def _further(form: str, beyond: Sweep, best: Case, each: str = "") -> str:
    """What the longest row of all costs, where it is longer than the one asked about."""
    if not beyond:
        return ""
    longest, last = beyond[-1]
    slower = _per_byte(last) / _per_byte(best)
    return form.format(f"{longest:,}{_worked_on(last, each)}", f"{slower:.2f}×")


def _worked_on(case: Case, each: str = "") -> str:
    """How a row was worked on, where one program could not hold it."""
    said = {"team": "shared by a team of programs", "looped": "read twice"}
    how = said.get(case.fact("strategy"))
    return f", {each}{how}," if how else ""


def _fits(sweep: Sweep) -> str:
    """The longest row that was measured in one program: no limit, since lengths lie apart."""
    most = max(features for features, case in sweep if case.fact("strategy") == "whole")
    return f"the longest measured that fits has {most:,}"


def _notes(sweep: Sweep) -> Iterable[str]:
    used = {case.fact("strategy") for _, case in sweep}
    yield from (note for strategy, note in NOTES.items() if strategy in used)
    if "looped" not in used:
        yield "No row here was too long to be read once."


def _number(features: int, last: Case, best_features: int, best: Case) -> Number:
    slower = _per_byte(last) / _per_byte(best)
    return Number(
        f"Cost a byte, {features:,} features against {best_features:,}, the best that fits",
        slower,
        f"{slower:.2f}×",
        "(time ÷ bytes) of such a row ÷ (time ÷ bytes) of the best that fits",
        f"({us(last.median_us)} µs ÷ {last.fact('bytes') / 1e6:,.1f} MB) ÷ "
        f"({us(best.median_us)} µs ÷ {best.fact('bytes') / 1e6:,.1f} MB)",
    )


EXPERIMENT = Experiment(
    name="width",
    title="How long a row one pass can hold",
    claim="The reduction over the features sets how far one can fuse.",
    shown=(
        "The fused forward on rows of 64 to 65,536 features at one volume, in full to 262,144: its "
        "rate, its registers and how the kernel works on such a row."
    ),
    question=Question(
        f"How many times as much will a byte cost in rows of {ASKED:,} features as in the best "
        "that fit in one program?"
    ),
    parameters={"dtype": DTYPE, "mode": MODE},
    conclude=conclude,
    no_cpu="The width experiment reads registers and spills of GPU kernels; a processor has none.",
)
