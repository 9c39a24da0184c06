"""What a checked attempt shows: the answer with its marks, the pitfalls, the points, a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.card import Card, KeyPoint, Pitfall
from app.domain.checking.findings import Kind, State
from app.domain.ladder import Rung, rung_of
from app.domain.marking import STRONGEST_FIRST, Mark, Piece, pieces
from app.domain.omissions import omissions
from app.domain.practice import Dispute, counts
from app.store.findings import spoken
from app.store.models import Attempt, FindingRow
from app.web.words import several

_AROUND = " \t\n,;:."


@dataclass(frozen=True, slots=True)
class PitfallFound:
    """A pitfall that the check points at, or that the answer steers clear of."""

    row_id: int
    number: int  # 0 for one that is not numbered in the answer
    state: State
    pitfall: Pitfall
    words: str | None
    dispute: Dispute | None
    trips: bool
    explained: Rung | None  # the part of the ladder that tells more of it


@dataclass(frozen=True, slots=True)
class PointFound:
    """A key point, what the check says of it and what the learner says."""

    row_id: int
    state: State
    point: KeyPoint
    words: str | None
    dispute: Dispute | None
    counts: bool
    asked: bool
    claimed: bool
    left_out: str | None  # what to say of it when it is owed and the answer has no word on it


@dataclass(frozen=True, slots=True)
class Result:
    """All that the page of a checked answer shows."""

    sentence: str
    answer: tuple[Piece, ...]
    pitfalls: tuple[PitfallFound, ...]
    steered_clear: tuple[PitfallFound, ...]
    points: tuple[PointFound, ...]
    beyond: tuple[PointFound, ...]
    states: tuple[State, ...]  # of the marks, for their legend
    own_view: str  # the learner's own view, held against what the check found


def result_of(attempt: Attempt, card: Card) -> Result:
    """The result of an attempt whose findings are loaded; ids that left the card are left out."""
    answer = attempt.answer or ""
    pitfalls = _pitfalls(attempt.findings, card, answer)
    points = _points(attempt, card, answer)
    asked = tuple(point for point in points if point.asked)
    marked = pieces(answer, _marks(attempt.findings, pitfalls, answer))
    seen = {mark.state for piece in marked for mark in piece.begins}
    return Result(
        sentence=_sentence(answer, asked, pitfalls),
        answer=marked,
        pitfalls=tuple(one for one in pitfalls if one.number),
        steered_clear=tuple(one for one in pitfalls if one.state is State.REJECTED),
        points=asked,
        beyond=tuple(point for point in points if not point.asked),
        states=tuple(state for state in STRONGEST_FIRST if state in seen),
        own_view=_own_view(points),
    )


def _pitfalls(rows: Sequence[FindingRow], card: Card, answer: str) -> list[PitfallFound]:
    known = {pitfall.id: pitfall for pitfall in card.pitfalls}
    found = [row for row in rows if row.kind is Kind.PITFALL and row.ref in known]
    shown = sorted((row for row in found if row.state is not State.NOT_FOUND), key=_place)
    numbers = {row.id: n for n, row in enumerate((r for r in shown if _points_at(r)), start=1)}
    return [
        PitfallFound(
            row.id,
            numbers.get(row.id, 0),
            row.state,
            known[row.ref],
            _words(row, answer),
            row.dispute,
            counts(row.kind, row.state, row.dispute),
            rung_of(card, known[row.ref].explained_in),
        )
        for row in shown
    ]


def _points(attempt: Attempt, card: Card, answer: str) -> list[PointFound]:
    rows = {row.ref: row for row in attempt.findings if row.kind is Kind.KEY_POINT}
    asks = set(card.tier(attempt.tier).asks)
    left_out = {one.ref: one.says for one in omissions(spoken(attempt), card, attempt.tier)}
    return [
        PointFound(
            row.id,
            row.state,
            point,
            _words(row, answer),
            row.dispute,
            counts(row.kind, row.state, row.dispute),
            point.id in asks,
            point.id in attempt.claimed,
            left_out.get(point.id),
        )
        for point in card.key_points
        if (row := rows.get(point.id)) is not None
    ]


def _marks(rows: Sequence[FindingRow], pitfalls: Sequence[PitfallFound], answer: str) -> list[Mark]:
    """What to mark; words that the learner took out of the count are marked no more."""
    numbers = {one.row_id: one.number for one in pitfalls}
    return [
        Mark(*span, row.state, numbers.get(row.id, 0))
        for row in rows
        if row.state in STRONGEST_FIRST and row.dispute in (None, Dispute.SAID)
        if (span := _span(row, answer)) is not None
    ]


def _points_at(row: FindingRow) -> bool:
    return row.state in (State.FLAGGED, State.POSSIBLE)


def _place(row: FindingRow) -> tuple[bool, int, int]:
    return (row.state is not State.FLAGGED, row.start if row.start is not None else 0, row.id)


def _words(row: FindingRow, answer: str) -> str | None:
    span = _span(row, answer)
    return (answer[slice(*span)] or None) if span else None


def _span(row: FindingRow, answer: str) -> tuple[int, int] | None:
    """Where the words of a finding stand, without the stops and blanks around them."""
    if row.start is None or row.end is None:
        return None
    words = answer[row.start : row.end]
    begins = len(words) - len(words.lstrip(_AROUND))
    kept = words.strip(_AROUND)
    return (row.start + begins, row.start + begins + len(kept)) if kept else (row.start, row.end)


def _sentence(answer: str, asked: Sequence[PointFound], pitfalls: Sequence[PitfallFound]) -> str:
    if not any(character.isalnum() for character in answer):
        return "Nothing to check: there are no words in this answer."
    covered = sum(point.counts for point in asked)
    tripped = sum(one.trips for one in pitfalls)
    possible = sum(one.state is State.POSSIBLE and one.dispute is None for one in pitfalls)
    return (
        f"Your answer covers {covered} of the {several(len(asked), 'point')} that its length asks "
        f"for and {_tripped(tripped, possible)}."
    )


def _own_view(points: Sequence[PointFound]) -> str:
    ticked = [point for point in points if point.claimed]
    found = sum(point.counts for point in ticked)
    if not ticked:
        return "You ticked 0 points."
    told = f"You ticked {several(len(ticked), 'point')}"
    if len(ticked) == 1:
        return f"{told}, and the check {'found it' if found else 'did not find it'}."
    return (
        f"{told}, and the check found {'all' if found == len(ticked) else found or 'none'} of them."
    )


def _tripped(tripped: int, possible: int) -> str:
    told = (
        f"trips {several(tripped, 'pitfall')}" if tripped else "trips no known pitfall for certain"
    )
    if not possible:
        return told if tripped else "trips no known pitfall"
    return f"{told}; {possible} {'more ' if tripped else ''}possible, you judge"
