"""Spot the broken benchmark: what each reports, which mistake it made, and the honest run."""

import random
from collections.abc import Sequence
from string import ascii_uppercase

from kernels.lab.broken_shown import picture, table, told
from kernels.lab.conclusion import Answer, Conclusion, Number, Outcome
from kernels.lab.evidence import Case, Evidence, Incomplete
from kernels.lab.experiment import DTYPE, MODE, Experiment, Kind, Question
from kernels.lab.measures import ratio_interval, us
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
            given=_given(evidence, honest[1]),
        ),
        numbers=(_number(honest, measured),),
        pictures=(picture(lettered, honest, measured),),
        tables=(table(lettered, honest),),
        notes=(*(told(*pair) for pair in lettered), *evidence.summary.get("notes", ())),
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


def _given(evidence: Evidence, one_pass: Case) -> str:
    """What whoever judges the reports knows of the machine and of the task."""
    moved = f"One pass over the whole input moves {one_pass.fact('bytes') / 1e6:,.0f} MB"
    limit = evidence.limit.get("add_gb_per_s")
    if limit is None:
        return f"{moved}; how fast memory is here is not known."
    most = f"{limit:,.0f}" if limit >= 100 else f"{limit:.1f}"
    return f"{moved}; memory gives at most {most} GB/s here, as timed in this run."


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


def _number(honest: tuple[Case, Case], measured: float) -> Number:
    low, high = ratio_interval(*(case.samples_us for case in honest))
    return Number(
        "Honest speed-up", measured, f"{measured:.2f}×", "separate's median ÷ fused's median",
        f"{us(honest[0].median_us)} µs ÷ {us(honest[1].median_us)} µs; 95 % of resamplings from "
        f"{low:.2f} to {high:.2f}",
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
