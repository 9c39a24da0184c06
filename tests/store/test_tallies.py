"""What an operator's figures count, and how little is read for it."""

from datetime import datetime

from sqlalchemy import select

from app.domain.card import Card
from app.domain.running import RunSource, RunState
from app.store import learners, tallies
from app.store.engine import Database
from app.store.importing import import_cards
from app.store.models import Attempt, CardRow, Run
from tests.runs.test_indexes import plans
from tests.store.databases import on_sqlite


def test_runs_from_elsewhere_are_none_that_were_asked_for_here(
    database: Database, now: datetime
) -> None:
    with database.changing() as session:
        who = learners.create(session, now)
        for number, (source, state, of) in enumerate(
            [
                (RunSource.LIVE, RunState.DONE, who.id),
                (RunSource.LIVE, RunState.FAILED, who.id),
                (RunSource.LIVE, RunState.DONE, None),
                (RunSource.RECORDED, RunState.DONE, None),
                (RunSource.IMPORTED, RunState.DONE, None),
            ]
        ):
            session.add(Run(f"r{number}", "chain", {}, source, state, now, learner_id=of))
        session.commit()
    with database.reading() as session:
        found = tallies.runs(session)
        assert found == dict.fromkeys(map(str, RunState), 0) | {"done": 2, "failed": 1}


@on_sqlite
def test_runs_are_counted_by_an_index_alone(database: Database) -> None:
    in_all, elsewhere = plans(database, tallies.runs, "FROM run")
    assert in_all == "SCAN run USING COVERING INDEX ix_run_state_requested_at"
    assert "ix_run_learner_id_requested_at (learner_id=?)" in elsewhere


def test_attempts_and_their_checks_are_counted_by_where_they_stand(
    database: Database, cards: list[Card], now: datetime
) -> None:
    with database.changing() as session:
        import_cards(session, cards, now)
        card = session.scalars(select(CardRow.id)).first() or 0
        who = learners.create(session, now)
        handed_in = {"handed_in_at": now}
        late, done = {"check_trouble": "late"}, {"checked_at": now}
        stands = [{}, {"abandoned_at": now}, *(handed_in | one for one in ({}, late, done))]
        for one in [*stands, handed_in | late | done]:
            session.add(Attempt(who.id, card, "hash", "basics", 20, started_at=now, **one))
        session.commit()
    with database.reading() as session:
        assert tallies.attempts(session) == {"open": 1, "abandoned": 1, "handed_in": 4}
        assert tallies.checks(session, handed_in=4) == {"done": 2, "put_off": 1, "waiting": 1}


@on_sqlite
def test_attempts_are_counted_without_a_look_at_their_texts(database: Database) -> None:
    index = "ix_attempt_checked_at_handed_in_at_abandoned_at"
    assert plans(database, tallies.attempts, "FROM attempt") == [
        f"SCAN attempt USING COVERING INDEX {index}"
    ]
    assert plans(database, lambda session: tallies.checks(session, 0), "FROM attempt") == [
        f"SEARCH attempt USING INDEX {index} (checked_at=? AND handed_in_at>?)"
    ]
