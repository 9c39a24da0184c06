"""A card against its own checker: its model answers must pass, its corrections must count.

A card that fails here would tell a learner who says its very words that they
missed a point, or fell into a pitfall.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from app.domain.card import Card
from app.domain.checking.findings import Checker, Finding, Kind, State

Part = Literal["tier", "follow-up", "pitfall"]


@dataclass(frozen=True, slots=True)
class Lint:
    """What is wrong with one passage of a card: which part it stands in, with which id."""

    part: Part
    id: str
    message: str


def lint(card: Card, checker: Checker) -> Iterator[Lint]:
    """Everything in which the card and `checker` disagree about the card's own words."""
    for tier_id, text, asks in _answers(card):
        findings = checker(text, card)
        yield from (Lint("tier", tier_id, message) for message in _missed(findings, asks))
        yield from (Lint("tier", tier_id, message) for message in _tripped(findings, text))
    for follow_up in card.follow_ups:
        text = follow_up.answer.text
        for message in _tripped(checker(text, card), text):
            yield Lint("follow-up", follow_up.id, message)
    for pitfall in card.pitfalls:
        findings = checker(pitfall.instead, card)
        for message in (*_unrejected(findings, pitfall.id), *_tripped(findings, pitfall.instead)):
            yield Lint("pitfall", pitfall.id, message)


def _answers(card: Card) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Each tier's own text and the points it must make; levels describe, so they owe none."""
    for tier in card.tiers:
        if tier.answer is not None:
            yield tier.id, tier.answer.text, tier.asks
        else:
            yield tier.id, "\n\n".join(level.body.text for level in card.levels), ()


def _missed(findings: tuple[Finding, ...], asks: tuple[str, ...]) -> Iterator[str]:
    covered = {f.ref for f in findings if f.kind is Kind.KEY_POINT and f.state is State.COVERED}
    for ref in asks:
        if ref not in covered:
            yield f"the checker does not find {ref!r} here, which this tier asks for"


def _tripped(findings: tuple[Finding, ...], text: str) -> Iterator[str]:
    for finding in findings:
        if finding.kind is Kind.PITFALL and finding.state in (State.FLAGGED, State.POSSIBLE):
            words = text[finding.start : finding.end]
            yield f"the checker sees {finding.ref!r} here ({finding.state}): {words!r}"


def _unrejected(findings: tuple[Finding, ...], ref: str) -> Iterator[str]:
    if not any(f.ref == ref and f.state is State.REJECTED for f in findings):
        yield f"the checker does not see that 'instead' rejects {ref!r}"
