"""Spot the broken benchmark: what each reports, which mistake it made, and the honest run."""

import random
from collections.abc import Sequence
from string import ascii_uppercase

from kernels.lab.conclusion import Answer, Conclusion, Number, Outcome
from kernels.lab.evidence import Case, Evidence, Incomplete
from kernels.lab.experiment import DTYPE, MODE, Experiment, Kind, Question
from kernels.lab.measures import ratio_interval
from kernels.lab.pictures import Bar, Bars, Mark, Table
from kernels.lab.reports import Finding, finding_of, pair, rate, time
from kernels.lab.sins import SINS


def conclude(evidence: Evidence) -> Conclusion:
    """Every broken benchmark against its honest twin, by the four cases' samples."""
    findings = [finding_of(evidence, name) for name in SINS if evidence.has("fused", run=name)]
    if not findings:
        raise Incomplete("any broken benchmark's result")
    lettered = _lettered(evidence, findings)
    outcome = _outcome(findings)
    honest = pair(evidence, "honest")
    measured = honest[0].median_us / honest[1].median_us
    wrong = sum(finding.speedup.wrong is True for finding in findings)
    return Conclusion(
        _sentence(evidence, outcome, findings, measured),
        outcome,
        f"{wrong} of {len(findings)} mistakes gave a wrong speed-up; {measured:.2f}× honestly",
        Answer(
            items=tuple((letter, _report(finding)) for letter, finding in lettered),
            matches=tuple((letter, finding.name) for letter, finding in lettered),
        ),
        numbers=(_number(honest, measured),),
        pictures=(_picture(lettered, honest, measured),),
        tables=(_table(lettered, honest),),
        notes=(*(_told(*pair) for pair in lettered), *evidence.summary.get("notes", ())),
        suspects=tuple(evidence.summary.get("suspect", ())),
    )


def _lettered(evidence: Evidence, findings: Sequence[Finding]) -> list[tuple[str, Finding]]:
    """In an order that is each run's own, so that no letter can be learned by heart."""
    order = random.Random(evidence.device["at"]).sample(list(findings), len(findings))
    return list(zip(ascii_uppercase, order, strict=False))


def _report(finding: Finding) -> str:
    """What its maker would report: all there is to go by, but for the mistake itself."""
    times = f"separate {time(finding.separate)}, one pass {time(finding.fused)}"
    return f"{times}, so {finding.reported:.2f}×; one pass would move {rate(finding.fused)}"


def _outcome(findings: Sequence[Finding]) -> Outcome:
    if any(finding.speedup.wrong for finding in findings):
        return Outcome.HOLDS
    none = all(finding.speedup.wrong is False for finding in findings)
    return Outcome.FAILS if none else Outcome.UNDECIDED


def _sentence(
    evidence: Evidence, outcome: Outcome, findings: Sequence[Finding], measured: float
) -> str:
    where = f"on {'' if evidence.on_gpu else 'one core of '}this {evidence.device_name}"
    honest = f"an honest run measures {measured:.2f}×"
    wrong = [finding.reported for finding in findings if finding.speedup.wrong]
    if outcome is Outcome.HOLDS:
        span = (
            f"from {min(wrong):.2f}× to {max(wrong):.2f}×" if len(wrong) > 1 else f"{wrong[0]:.2f}×"
        )
        return (
            f"{len(wrong)} of {len(findings)} mistakes, one at a time, report a wrong speed-up "
            f"{where}: {span}, where {honest}."
        )
    if outcome is Outcome.FAILS:
        return f"None of {len(findings)} mistakes reports a wrong speed-up {where}: {honest}."
    return f"This run cannot say whether any mistake reports a wrong speed-up {where}; {honest}."


def _told(letter: str, finding: Finding) -> str:
    """For each mistake: how far off, or that it made no difference, and why it can."""
    ratios = f"{finding.reported:.2f}× against {finding.honest:.2f}× honestly"
    rates = f"{rate(finding.fused)} against {rate(finding.honest_fused)}"
    return (
        f"{letter} {finding.sin.does}: {ratios}, {finding.speedup.words}; one pass moves {rates}, "
        f"{finding.rate.words}. {finding.sin.why}"
    )


def _number(honest: tuple[Case, Case], measured: float) -> Number:
    low, high = ratio_interval(*(case.samples_us for case in honest))
    return Number(
        "Honest speed-up", measured, f"{measured:.2f}×", "separate's median ÷ fused's median",
        f"{honest[0].median_us:,.1f} µs ÷ {honest[1].median_us:,.1f} µs; 95 % of resamplings from "
        f"{low:.2f} to {high:.2f}",
    )  # fmt: skip


def _picture(
    lettered: Sequence[tuple[str, Finding]], honest: tuple[Case, Case], measured: float
) -> Bars:
    def bar(label: str, separate: Case, fused: Case, role) -> Bar:
        span = ratio_interval(separate.samples_us, fused.samples_us)
        return Bar(label, separate.median_us / fused.median_us, *span, role=role)

    bars = [bar("Honest", *honest, "one")]
    bars += [bar(f"{letter}: {f.sin.does}", f.separate, f.fused, "other") for letter, f in lettered]
    return Bars(
        "Speed-up as each benchmark reports it",
        "×",
        tuple(bars),
        Mark(measured, f"honest {measured:.2f}×"),
        "Ratio of medians; the thin line spans 95 % of resamplings (none where there is one "
        "sample).",
    )


def _table(lettered: Sequence[tuple[str, Finding]], honest: tuple[Case, Case]) -> Table:
    columns = (
        "Benchmark", "Separate", "One pass", "Reported", "Honest twin", "Off by",
        "Rate of one pass", "Off by", "Samples",
    )  # fmt: skip
    ratio = f"{honest[0].median_us / honest[1].median_us:.2f}×"
    first = ("honest", time(honest[0]), time(honest[1]), ratio, ratio, "–", rate(honest[1]), "–",
             str(len(honest[1].samples_us)))  # fmt: skip
    rows = (first, *(_row(*pair) for pair in lettered))
    note = "The honest twin is the same without the mistake, at the same small size for the cache."
    return Table("Each benchmark", columns, rows, note)


def _row(letter: str, finding: Finding) -> tuple[str, ...]:
    return (
        f"{letter}: {finding.sin.does}", time(finding.separate), time(finding.fused),
        f"{finding.reported:.2f}×", f"{finding.honest:.2f}×", f"× {finding.speedup.shown}",
        rate(finding.fused), f"× {finding.rate.shown}",
        str(len(finding.fused.samples_us)),
    )  # fmt: skip


EXPERIMENT = Experiment(
    name="broken",
    title="Spot the broken benchmark",
    claim="One mistake in the timing is enough to report a wrong speed-up.",
    shown=(
        "The chain timed once honestly and once with each of the common mistakes. You see what "
        "each benchmark would report and name its mistake; then comes the honest run."
    ),
    question=Question(
        "Which mistake did each of these benchmarks make?",
        Kind.MATCH,
        {name: sin.does for name, sin in SINS.items()},
    ),
    parameters={"dtype": DTYPE, "mode": MODE},
    conclude=conclude,
    on_cpu={"dtype": "fp32"},
)
