"""Migrations: the same tables on both databases, up and down, with rows in place."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime
from threading import Barrier, BrokenBarrierError

import pytest
from sqlalchemy import event, inspect, select, text

from app.domain.card import Card
from app.domain.running import RunSource, RunState
from app.store import learners, migrate
from app.store.engine import Database, open_database
from app.store.importing import import_cards
from app.store.migrate import Standing
from app.store.models import Attempt, Base, CardRow, Prediction, Run


def test_the_migrations_make_exactly_the_tables_of_the_models(empty_database_url: str) -> None:
    database = open_database(empty_database_url)
    migrate.upgrade(database)
    migrate.check(database)  # raises where they differ
    assert migrate.standing(database) is Standing.CURRENT
    database.dispose()


def test_tables_of_others_in_the_same_database_are_left_alone(database: Database) -> None:
    with database.writing.begin() as connection:
        connection.execute(text("CREATE TABLE someone_elses (id INTEGER PRIMARY KEY)"))
    migrate.check(database)
    migrate.downgrade(database, "base")
    assert "someone_elses" in inspect(database.engine).get_table_names()


def test_all_migrations_can_be_undone_and_done_again(
    database: Database, cards: list[Card], now: datetime
) -> None:
    with database.changing() as session:
        import_cards(session, cards, now)
        session.commit()
    migrate.downgrade(database, "base")
    left = set(inspect(database.engine).get_table_names()) & set(Base.metadata.tables)
    assert left == set()
    assert migrate.standing(database) is Standing.BEHIND
    migrate.upgrade(database)
    migrate.check(database)


def test_migrating_a_database_that_is_current_keeps_every_row(
    database: Database, cards: list[Card], now: datetime
) -> None:
    with database.changing() as session:
        import_cards(session, cards, now)
        row_id = session.scalars(select(CardRow.id)).first()
        learner = learners.create(session, now)
        for _ in range(3):
            session.add(
                Attempt(
                    learner_id=learner.id,
                    card_id=row_id or 0,
                    content_hash="hash",
                    tier="basics",
                    target_seconds=20,
                    started_at=now,
                    handed_in_at=now,
                )
            )
        session.commit()
    migrate.upgrade(database)
    with database.reading() as session:
        assert session.scalars(select(Attempt.started_at)).all() == [now] * 3


def test_a_guess_of_one_number_becomes_a_range_and_back(database: Database, now: datetime) -> None:
    run = Run("r", "chain", {}, RunSource.RECORDED, RunState.DONE, now)
    with database.changing() as session:
        ranged, chosen = learners.create(session, now), learners.create(session, now)
        session.add(run)
        session.flush()
        session.add(Prediction("r", ranged.id, "factor", now, low=2.0, high=3.0))
        session.add(Prediction("r", chosen.id, "choice", now, choice="memory"))
        session.commit()
    migrate.downgrade(database, "0001")
    with database.reading() as session:
        kept = session.execute(text("SELECT learner_id, quantity, value, made_at FROM prediction"))
        assert [tuple(row)[:3] for row in kept] == [(ranged.id, "speedup", 2.5)]
    migrate.upgrade(database)
    migrate.check(database)
    with database.reading() as session:
        (again,) = session.scalars(select(Prediction)).all()
        assert (again.quantity, again.low, again.high) == ("factor", 2.5, 2.5)
        assert (again.choice, again.matches, again.made_at) == (None, None, now)


def _pausing_after_the_look(url: str, both: Barrier) -> Callable[[], None]:
    """An upgrade that, having read which migrations there are, lets the other one read first."""
    database = open_database(url)

    def pause(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if "FROM alembic_version" in statement:
            with suppress(BrokenBarrierError):
                both.wait(0.5)

    event.listen(database.engine, "after_cursor_execute", pause)

    def upgrade() -> None:
        try:
            migrate.upgrade(database)
        finally:
            database.dispose()

    return upgrade


def test_two_processes_that_start_at_once_migrate_in_turn(
    database: Database, database_url: str
) -> None:
    migrate.downgrade(database, "0001")
    both = Barrier(2)
    upgrades = [_pausing_after_the_look(database_url, both) for _ in range(2)]
    with ThreadPoolExecutor() as pool:
        for done in [pool.submit(upgrade) for upgrade in upgrades]:
            done.result()
    migrate.check(database)
    assert migrate.standing(database) is Standing.CURRENT


def test_a_database_of_a_newer_version_is_left_as_it_is(database: Database) -> None:
    with database.writing.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'later'"))
    with pytest.raises(migrate.Newer, match="newer Ridgepoint than this one: update this copy"):
        migrate.upgrade(database)
    assert migrate.standing(database) is migrate.Standing.NEWER
