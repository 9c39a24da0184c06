"""What a checked attempt shows: the answer with its marks, the pitfalls, the points, a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.card import Card
from app.domain.checked import HERE
from app.domain.checking.bounded import unread
from app.domain.checking.findings import State
from app.domain.ladder import Rung, rungs
from app.domain.marking import STRONGEST_FIRST, Piece, pieces
from app.store.models import Attempt
from app.web.found_words import marks_of
from app.web.result_findings import PitfallFound, PointFound, pitfalls_found, points_found
from app.web.result_sentences import own_view, sentence

MEASURED = "fused-normalization-chain"
"""The card whose answers the checker's figures come from; on others they say nothing."""


@dataclass(frozen=True, slots=True)
class Result:
    """All that the page of a checked answer shows."""

    sentence: str
    answer: tuple[Piece, ...]
    unread: int  # characters at its end that the check does not read
    pitfalls: tuple[PitfallFound, ...]
    steered_clear: tuple[PitfallFound, ...]
    points: tuple[PointFound, ...]
    beyond: tuple[PointFound, ...]
    states: tuple[State, ...]  # of the marks, for their legend
    own_view: str  # the learner's own view, held against what the check found
    next: Rung | None  # what to read before the next answer
    measured: bool  # the checker's figures hold: its card, and nobody else had a say


def result_of(attempt: Attempt, card: Card) -> Result:
    """The result of an attempt whose findings are loaded; ids that left the card are left out."""
    answer = attempt.answer or ""
    pitfalls = pitfalls_found(attempt.findings, card, answer)
    points = points_found(attempt, card, answer)
    asked = tuple(point for point in points if point.asked)
    numbers = {one.row_id: one.number for one in pitfalls}
    marked = pieces(answer, marks_of(attempt.findings, numbers, answer))
    seen = {mark.state for piece in marked for mark in piece.begins}
    return Result(
        sentence=sentence(answer, asked, pitfalls),
        answer=marked,
        unread=unread(answer),
        pitfalls=tuple(one for one in pitfalls if one.number),
        steered_clear=tuple(one for one in pitfalls if one.state is State.REJECTED),
        points=asked,
        beyond=tuple(point for point in points if not point.asked),
        states=tuple(state for state in STRONGEST_FIRST if state in seen),
        own_view=own_view(points),
        next=_next(card, pitfalls, asked),
        measured=card.slug == MEASURED and attempt.checked_by in (None, HERE),
    )


def _next(card: Card, pitfalls: Sequence[PitfallFound], asked: Sequence[PointFound]) -> Rung | None:
    """What explains the first pitfall tripped, else the first point missing, else a follow-up."""
    tripped = (one.explained for one in pitfalls if one.trips)
    missing = (one.taught for one in asked if not one.counts)
    follow_ups = (rung for rung in rungs(card) if rung.kind == "follow-up")
    return next((rung for rung in (*tripped, *missing, *follow_ups) if rung), None)
