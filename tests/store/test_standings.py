"""Where a learner stands: the same whether all their answers are read or the few that tell it."""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.checking.findings import Kind, State
from app.domain.practice import Dispute, counts
from app.domain.standing import TIERS, Answered, Standing, standing
from app.store import learners, standings
from app.store.engine import Database
from app.store.models import Attempt, CardRow, FindingRow, answer_seconds

POINTS = ("a", "b", "c")
ASKS = {tier: POINTS[: 2 if tier == "basics" else 3] for tier in TIERS}
TARGETS = dict(zip(TIERS, (20, 50, 4000), strict=True))
NEAR = [timedelta(microseconds=n) for n in (-1, 0, 1)]


def a_card(session: Session, slug: str, now: datetime) -> int:
    card = CardRow(slug, slug, "topic", "hash", {}, now)
    session.add(card)
    session.flush()
    return card.id


def an_attempt(
    session: Session, learner_id: int, card_id: int, tier: str, began: datetime, took: timedelta
) -> Attempt:
    attempt = Attempt(learner_id, card_id, "hash", tier, TARGETS[tier], began)
    attempt.answer, attempt.handed_in_at = "It saves trips.", began + took
    attempt.checked_at = attempt.reviewed_at = began + took
    session.add(attempt)
    session.flush()
    return attempt


def cover(session: Session, attempt: Attempt, points: int) -> None:
    for i, ref in enumerate(POINTS):
        state = State.COVERED if i < points else State.NOT_FOUND
        session.add(FindingRow(attempt.id, Kind.KEY_POINT, ref, state, 0, 1, []))


def trip(session: Session, attempt: Attempt, pitfalls: int) -> None:
    for i in range(pitfalls):
        session.add(FindingRow(attempt.id, Kind.PITFALL, f"p{i}", State.FLAGGED, 0, 1, []))


def dispute(session: Session, attempt: Attempt, draw: random.Random) -> None:
    session.flush()
    for row in found_of(session, attempt):
        row.dispute = draw.choice([None, None, None, *Dispute])


def found_of(session: Session, attempt: Attempt) -> Sequence[FindingRow]:
    return session.scalars(select(FindingRow).where(FindingRow.attempt_id == attempt.id)).all()


def many(session: Session, learner_id: int, card_id: int, now: datetime, seed: int) -> None:
    """Attempts of every kind, one after another, near their targets and far from them."""
    draw = random.Random(seed)
    began = now
    for _ in range(draw.randint(0, 12)):
        tier = draw.choice(TIERS)
        target = timedelta(seconds=TARGETS[tier])
        took = draw.choice([target + draw.choice(NEAR), target * draw.uniform(1, 3)])
        began += timedelta(days=1, microseconds=draw.choice([0, 1, 499_999, 999_999]))
        attempt = an_attempt(session, learner_id, card_id, tier, began, took)
        trip(session, attempt, draw.choice([0, 0, 1]))
        cover(session, attempt, draw.randint(0, 3))
        dispute(session, attempt, draw)
        match draw.randint(0, 7):
            case 0:
                attempt.answer, attempt.handed_in_at, attempt.abandoned_at = None, None, began
            case 1:
                attempt.answer = ""
            case 2:
                attempt.clock_stopped_at = began + target + draw.choice(NEAR)
            case 3:
                attempt.checked_at = None
            case 4:
                attempt.reviewed_at = None
    if draw.random() < 0.4:
        session.add(Attempt(learner_id, card_id, "hash", "deep", 4000, began + timedelta(days=2)))


def of_all(session: Session, attempts: Sequence[Attempt], now: datetime) -> Standing:
    """The standing by every attempt at a card, in the order they were begun."""
    known = [one for one in attempts if one.abandoned_at is None]
    ended = [one for one in known if one.handed_in_at is not None]
    answers = [answered(session, one, now) for one in ended]
    return standing(answers, answering=len(ended) < len(known))


def answered(session: Session, one: Attempt, now: datetime) -> Answered:
    shown = one.checked_at is not None and one.reviewed_at is not None
    found = [row for row in found_of(session, one) if counts(row.kind, row.state, row.dispute)]
    covered = {row.ref for row in found if row.kind is Kind.KEY_POINT} & set(ASKS[one.tier])
    return Answered(
        one.id,
        one.tier,
        one.target_seconds,
        answer_seconds(one, now),
        one.handed_in_at or now,
        sum(row.kind is Kind.PITFALL for row in found) if shown else None,
        len(covered) if shown else 0,
        len(ASKS[one.tier]),
    )


@pytest.mark.parametrize("seed", range(12))
def test_the_few_that_are_read_say_what_all_do(
    database: Database, now: datetime, seed: int
) -> None:
    with database.changing() as session:
        me, other = learners.create(session, now), learners.create(session, now)
        session.flush()
        cards = [a_card(session, f"card-{n}", now) for n in range(6)]
        for n, card_id in enumerate(cards):
            many(session, me.id, card_id, now, seed * 100 + n)
            many(session, other.id, card_id, now, seed * 100 + 50 + n)
        found = standings.standings(session, me.id, dict.fromkeys(cards, ASKS))
        for card_id in cards:
            mine = Attempt.learner_id == me.id, Attempt.card_id == card_id
            attempts = session.scalars(select(Attempt).where(*mine).order_by(Attempt.id)).all()
            wanted, was = of_all(session, attempts, now), found[card_id]
            assert (was.in_time, was.answering) == (wanted.in_time, wanted.answering)
            assert (was.last is None) == (wanted.last is None)
            if was.last and wanted.last:
                assert was.last == wanted.last


@pytest.mark.parametrize(("shown", "told"), [(True, 2), (False, None)])
def test_of_the_last_answer_what_it_tripped_is_told_once_its_check_was_shown(
    database: Database, now: datetime, shown: bool, told: int | None
) -> None:
    with database.changing() as session:
        learner = learners.create(session, now)
        session.flush()
        card_id = a_card(session, "card", now)
        for day, pitfalls in enumerate((5, 2)):
            began = now + timedelta(days=day)
            last = an_attempt(session, learner.id, card_id, "solid", began, timedelta(seconds=9))
            trip(session, last, pitfalls)
            cover(session, last, 2)
        last.reviewed_at = last.reviewed_at if shown else None
        session.flush()
        found = standings.standings(session, learner.id, {card_id: ASKS})[card_id]
    assert found.last and found.last.tripped == told
    assert (found.last.covered, found.last.asked) == ((2, 3) if shown else (0, 3))
    assert found.in_time == ()


def test_of_hundreds_of_answers_no_more_are_read_than_are_told_of(
    database: Database, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[object] = []
    monkeypatch.setattr(
        standings, "Answered", lambda *given: read.append(given) or Answered(*given)
    )
    with database.changing() as session:
        learner = learners.create(session, now)
        session.flush()
        card_id = a_card(session, "card", now)
        for n in range(300):
            began, tier = now + timedelta(hours=n), TIERS[n % 3]
            took = timedelta(seconds=n % 30)
            cover(session, an_attempt(session, learner.id, card_id, tier, began, took), 3)
        found = standings.standings(session, learner.id, {card_id: ASKS})[card_id]
    assert found.in_time == TIERS
    assert len(read) <= 1 + len(TIERS)
