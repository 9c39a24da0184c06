"""Migrations: the same tables on both databases, up and down, with rows in place."""

from datetime import datetime

from sqlalchemy import inspect, select, text

from app.domain.card import Card
from app.store import learners, migrate
from app.store.engine import Database, open_database
from app.store.importing import import_cards
from app.store.models import Attempt, Base, CardRow


def test_the_migrations_make_exactly_the_tables_of_the_models(empty_database_url: str) -> None:
    database = open_database(empty_database_url)
    migrate.upgrade(database)
    migrate.check(database)  # raises where they differ
    assert migrate.is_current(database)
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
    assert not migrate.is_current(database)
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
