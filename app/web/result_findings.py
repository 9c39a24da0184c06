"""What the check found of an answer, as its page shows it: the pitfalls and the key points."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.card import Card
from app.domain.checking.findings import Kind, State
from app.domain.ladder import Rung, rung_of, teaching
from app.domain.omissions import meant, omissions
from app.domain.practice import Dispute, counts
from app.domain.rubric import KeyPoint, Pitfall
from app.store.findings import spoken
from app.store.models import Attempt, FindingRow
from app.web.found_words import state_of, words_of


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
    meant: bool  # the learner meant the opposite of the pitfall that it opposes
    taught: Rung | None  # the part of the ladder that tells it


def pitfalls_found(rows: Sequence[FindingRow], card: Card, answer: str) -> list[PitfallFound]:
    """The card's pitfalls that have a finding, the flagged first; those pointed at are numbered."""
    known = {pitfall.id: pitfall for pitfall in card.pitfalls}
    found = [row for row in rows if row.kind is Kind.PITFALL and row.ref in known]
    shown = sorted((row for row in found if state_of(row) is not State.NOT_FOUND), key=_place)
    numbers = {row.id: n for n, row in enumerate((r for r in shown if _points_at(r)), start=1)}
    return [
        PitfallFound(
            row.id,
            numbers.get(row.id, 0),
            state_of(row),
            known[row.ref],
            words_of(row, answer),
            row.dispute,
            counts(row.kind, row.state, row.dispute),
            rung_of(card, known[row.ref].explained_in),
        )
        for row in shown
    ]


def points_found(attempt: Attempt, card: Card, answer: str) -> list[PointFound]:
    """The card's key points that have a finding, in the card's order."""
    rows = {row.ref: row for row in attempt.findings if row.kind is Kind.KEY_POINT}
    asks = set(card.tier(attempt.tier).asks)
    told = spoken(attempt)
    left_out = {one.ref: one.says for one in omissions(told, card, attempt.tier, answer)}
    as_meant = meant(told, card)
    return [
        PointFound(
            row.id,
            row.state,
            point,
            words_of(row, answer),
            row.dispute,
            counts(row.kind, row.state, row.dispute),
            point.id in asks,
            point.id in attempt.claimed,
            left_out.get(point.id),
            point.id in as_meant,
            teaching(card, point),
        )
        for point in card.key_points
        if (row := rows.get(point.id)) is not None
    ]


def _points_at(row: FindingRow) -> bool:
    return state_of(row) in (State.FLAGGED, State.POSSIBLE)


def _place(row: FindingRow) -> tuple[bool, int, int]:
    return (state_of(row) is not State.FLAGGED, row.start if row.start is not None else 0, row.id)
