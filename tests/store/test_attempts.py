"""Attempts in the database, where two requests meet."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import func, select

from app.store import answers, attempts, cards, learners, reveals
from app.store.importing import import_cards
from app.store.models import Attempt, Reveal


@pytest.fixture
def stored(database, card, now):
    with database.changing() as session:
        import_cards(session, [card], now)
        session.commit()
        return cards.find(session, card.slug)


@pytest.fixture
def learner_id(database, now):
    with database.changing() as session:
        learner = learners.create(session, now)
        session.commit()
        return learner.id


def together(work, times=8):
    with ThreadPoolExecutor(times) as threads:
        return [done.result() for done in [threads.submit(work) for _ in range(times)]]


def test_beginning_at_the_same_moment_begins_one_attempt(database, stored, learner_id, now):
    def begin():
        with database.changing() as session:
            attempt = attempts.begin(session, learner_id, stored, "solid", now)
            session.commit()
            return attempt.id

    assert len(set(together(begin))) == 1


def test_opening_a_rung_at_the_same_moment_records_it_once(database, stored, learner_id, now):
    def open_it():
        with database.changing() as session:
            reveals.record(session, learner_id, stored.row_id, None, "basics", now)
            session.commit()

    together(open_it)
    with database.reading() as session:
        assert session.scalar(select(func.count()).select_from(Reveal)) == 1


def test_of_hand_ins_at_the_same_moment_one_is_the_answer_and_the_others_are_told(
    database, stored, learner_id, now
):
    with database.changing() as session:
        attempt_id = attempts.begin(session, learner_id, stored, "solid", now).id
        session.commit()
    texts = iter([f"answer {n}" for n in range(8)])

    def hand_in():
        text = next(texts)
        with database.changing() as session:
            attempt = attempts.own(session, learner_id, attempt_id, lock=True)
            try:
                answers.hand_in(attempt, text, "", now)
            except answers.AlreadyEnded:
                return None
            session.commit()
            return text

    taken = [text for text in together(hand_in) if text]
    with database.reading() as session:
        assert [session.get(Attempt, attempt_id).answer] == taken


def test_an_unknown_tier_is_a_key_error_that_names_the_tiers(database, stored, learner_id, now):
    with database.changing() as session, pytest.raises(KeyError, match="basics, solid, deep"):
        attempts.begin(session, learner_id, stored, "endless", now)


def test_the_latest_attempt_passes_over_those_given_up(database, stored, learner_id, now):
    with database.changing() as session:
        first = attempts.begin(session, learner_id, stored, "basics", now)
        answers.hand_in(first, "Trips.", "", now + timedelta(seconds=9))
        later = now + timedelta(minutes=1)
        second = attempts.begin(session, learner_id, stored, "solid", later)
        answers.abandon(second, later)
        session.commit()
        latest = attempts.latest(session, learner_id, stored.row_id)
        assert latest is not None
        assert latest.id == first.id


def test_another_import_of_the_card_keeps_the_attempts(database, stored, learner_id, card, now):
    with database.changing() as session:
        attempt_id = attempts.begin(session, learner_id, stored, "solid", now).id
        import_cards(session, [], now)
        import_cards(session, [card], now)
        session.commit()
    with database.reading() as session:
        assert attempts.own(session, learner_id, attempt_id) is not None
        assert cards.find(session, card.slug).row_id == stored.row_id
