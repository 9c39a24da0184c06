"""The check made here and the judge's view, made into one: flagged needs both.

What a judge can do alone is bounded, so that one which was talked into
something does little harm. It can point at a pitfall as possible, never flag
it or clear it; it can cover a point, but only by words of the answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from app.domain.checking.findings import Finding, Kind, State
from app.judging.questions import question_id
from app.judging.reply import Verdict, View

SIGN = "read so by the judge"

_PITFALL = {
    (State.FLAGGED, Verdict.ASSERTS): State.FLAGGED,
    (State.FLAGGED, Verdict.REJECTS): State.POSSIBLE,
    (State.FLAGGED, Verdict.NEITHER): State.POSSIBLE,
    (State.POSSIBLE, Verdict.ASSERTS): State.FLAGGED,
    (State.REJECTED, Verdict.ASSERTS): State.POSSIBLE,
    (State.NOT_FOUND, Verdict.ASSERTS): State.POSSIBLE,
    (State.NOT_FOUND, Verdict.REJECTS): State.REJECTED,
}
_POINT = {
    (State.NOT_FOUND, Verdict.ASSERTS): State.COVERED,
    (State.COVERED, Verdict.REJECTS): State.NOT_FOUND,
}
_SHOWN_BY = {
    Verdict.ASSERTS: (State.FLAGGED, State.POSSIBLE, State.COVERED),
    Verdict.REJECTS: (State.REJECTED,),
    Verdict.NEITHER: (),
}


def agreed(findings: Sequence[Finding], views: Mapping[str, View]) -> tuple[Finding, ...]:
    """The findings with the judge's views as a second sign; without a view one stays as it is."""
    return tuple(_one(f, views.get(question_id(f.kind, f.ref))) for f in findings)


def _one(finding: Finding, view: View | None) -> Finding:
    if view is None:
        return finding
    table = _POINT if finding.kind is Kind.KEY_POINT else _PITFALL
    state = table.get((finding.state, view.verdict), finding.state)
    if state is State.NOT_FOUND:
        return Finding(finding.kind, finding.ref, state)
    signs = (*finding.signs, SIGN) if state in _SHOWN_BY[view.verdict] else finding.signs
    turned = finding.state is State.REJECTED and state is State.POSSIBLE
    shown = view if turned or finding.start is None else finding
    return replace(finding, state=state, start=shown.start, end=shown.end, signs=signs)
