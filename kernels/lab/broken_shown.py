"""Broken benchmarks beside their honest twins, once it is said which is which."""

from collections.abc import Sequence

from kernels.lab.evidence import Case
from kernels.lab.measures import ratio_interval
from kernels.lab.pictures import Bar, Bars, Mark, Role, Table
from kernels.lab.reports import Finding, rate, time


def told(letter: str, finding: Finding) -> str:
    """For each mistake: how far off, or that it made no difference, and why it can."""
    ratios = f"{finding.reported:.2f}× against {finding.honest:.2f}× honestly"
    rates = f"{rate(finding.fused)} against {rate(finding.honest_fused)}"
    return (
        f"{letter} {finding.sin.does}: {ratios}, {finding.speedup.words}; one pass moves {rates}, "
        f"{finding.rate.words}. {finding.sin.why}"
    )


def picture(
    lettered: Sequence[tuple[str, Finding]], honest: tuple[Case, Case], measured: float
) -> Bars:
    """The speed-up that each reports; `measured` is the honest one's."""

    bars = [_bar("Honest", *honest, role="one")]
    bars += [
        _bar(f"{letter}: {f.sin.does}", f.separate, f.fused, _own_twin(f)) for letter, f in lettered
    ]
    apart = [letter for letter, finding in lettered if _own_twin(finding)]
    return Bars(
        "Speed-up as each benchmark reports it",
        "×",
        tuple(bars),
        Mark(measured, f"honest {measured:.2f}×"),
        "Ratio of medians; the thin line spans 95 % of resamplings (none where there is one "
        "sample)."
        + "".join(f" {letter} is held against its own twin, not the line." for letter in apart),
    )


def _bar(label: str, separate: Case, fused: Case, note: str = "", role: Role = "other") -> Bar:
    span = ratio_interval(separate.samples_us, fused.samples_us)
    return Bar(label, separate.median_us / fused.median_us, *span, note, role)


def _own_twin(finding: Finding) -> str:
    """What the honest twin of another size measured; empty where it is the honest run."""
    return f"its honest twin {finding.honest:.2f}×" if finding.sin.twin != "honest" else ""


def table(lettered: Sequence[tuple[str, Finding]], honest: tuple[Case, Case]) -> Table:
    """Each report, how far off its speed-up and its rate are."""
    columns = (
        "Benchmark", "Separate", "One pass", "Speed-up", "Honest twin's", "Off by",
        "Rate of one pass", "Rate off by", "Samples",
    )  # fmt: skip
    ratio = f"{honest[0].median_us / honest[1].median_us:.2f}×"
    first = ("Honest", time(honest[0]), time(honest[1]), ratio, ratio, "–", rate(honest[1]), "–",
             str(len(honest[1].samples_us)))  # fmt: skip
    rows = (first, *(_row(*pair) for pair in lettered))
    note = (
        "The letters are those above. The honest twin is the same without the mistake, at the same "
        "small size for the cache."
    )
    return Table("Each benchmark", columns, rows, note)


def _row(letter: str, finding: Finding) -> tuple[str, ...]:
    return (
        letter, time(finding.separate), time(finding.fused),
        f"{finding.reported:.2f}×", f"{finding.honest:.2f}×", f"× {finding.speedup.shown}",
        rate(finding.fused), f"× {finding.rate.shown}",
        str(len(finding.fused.samples_us)),
    )  # fmt: skip
