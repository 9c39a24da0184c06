"""What all tests share: real databases made by the real migrations, the app, a client.

A test that takes `database` or `client` runs twice, on SQLite and on
PostgreSQL. Where a component is missing, its tests are skipped and say how to
get it; with RIDGEPOINT_REQUIRE=all a missing component is a failure instead.
"""

import os
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from fastapi import FastAPI
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from sqlalchemy import create_engine, make_url, text
from starlette.testclient import TestClient

from app.domain.card import Card
from app.main import create_app
from app.runs import queue
from app.settings import ROOT, Settings
from app.store import migrate
from app.store.engine import Database, open_database
from app.store.importing import import_cards, read_folder
from app.web import checks

POSTGRES_HINT = (
    "no PostgreSQL to test on: start one and set RIDGEPOINT_TEST_POSTGRES="
    "postgresql+psycopg://user@host:port/postgres"
)

# How long anything takes says as much of the machine as of the code: no test fails by it.
LONG = timedelta(minutes=2)
hypothesis_settings.register_profile(
    "patient", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile("patient")


def require_component(present: object, hint: str) -> None:
    """Skip the test when a component is missing, or fail where nothing may be skipped."""
    if present:
        return
    if os.environ.get("RIDGEPOINT_REQUIRE") == "all":
        pytest.fail(hint)
    pytest.skip(hint)


@pytest.fixture(scope="session", autouse=True)
def _time_to_start() -> Iterator[None]:
    """The process that checks answers is given up as late here as an answer is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checks, "START_SECONDS", LONG.total_seconds())
        yield


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file at the newest migration, to be copied."""
    path = tmp_path_factory.mktemp("template") / "migrated.db"
    database = open_database(f"sqlite:///{path}")
    migrate.upgrade(database)
    queue.make_tables(f"sqlite:///{path}")
    with database.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    database.dispose()
    return path


@pytest.fixture(scope="session")
def postgres_template() -> Iterator[str]:
    """The URL of a PostgreSQL database at the newest migration, to be cloned."""
    server = os.environ.get("RIDGEPOINT_TEST_POSTGRES", "")
    require_component(server, POSTGRES_HINT)
    with _postgres_database(server) as url:
        database = open_database(url)
        migrate.upgrade(database)
        queue.make_tables(url)
        database.dispose()
        yield url


class _postgres_database:
    """A database of its own on the test server, dropped at the end."""

    def __init__(self, server: str, template: str | None = None) -> None:
        self.admin = create_engine(server, isolation_level="AUTOCOMMIT")
        self.name = f"ridgepoint_{uuid4().hex[:12]}"
        self.template = f" TEMPLATE {make_url(template).database}" if template else ""

    def __enter__(self) -> str:
        with self.admin.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {self.name}{self.template}"))
        return self.admin.url.set(database=self.name).render_as_string(hide_password=False)

    def __exit__(self, *_: object) -> None:
        with self.admin.connect() as connection:
            connection.execute(text(f"DROP DATABASE {self.name} WITH (FORCE)"))
        self.admin.dispose()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database with no tables at all, on each of the two databases."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'empty.db'}"
        return
    server = os.environ.get("RIDGEPOINT_TEST_POSTGRES", "")
    require_component(server, POSTGRES_HINT)
    with _postgres_database(server) as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a migrated, empty database, on each of the two databases."""
    if request.param == "sqlite":
        template: Path = request.getfixturevalue("sqlite_template")
        shutil.copyfile(template, tmp_path / "ridgepoint.db")
        yield f"sqlite:///{tmp_path / 'ridgepoint.db'}"
        return
    template_url: str = request.getfixturevalue("postgres_template")
    with _postgres_database(os.environ["RIDGEPOINT_TEST_POSTGRES"], template_url) as url:
        yield url


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A migrated, empty database."""
    database = open_database(database_url)
    yield database
    database.dispose()


@pytest.fixture(scope="session")
def cards() -> list[Card]:
    """The real cards."""
    return read_folder(ROOT / "content")


@pytest.fixture(scope="session")
def card(cards: list[Card]) -> Card:
    """The first card, on the fused normalization chain."""
    return next(card for card in cards if card.slug == "fused-normalization-chain")


@pytest.fixture
def now() -> datetime:
    """One moment, for tests that need no other."""
    return datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    """Settings of a test: its own database and folder, no worker, time to check an answer in."""
    return Settings(
        data_dir=tmp_path / "data",
        database_url=database_url,
        secret="a secret for the tests alone, kept by no one",
        embedded_worker=False,
        check_deadline=LONG,
        judge_deadline=LONG,
    )


@pytest.fixture
def app(settings: Settings, database: Database, cards: list[Card], now: datetime) -> FastAPI:
    """The application over a database that holds the real cards."""
    with database.changing() as session:
        import_cards(session, cards, now)
        session.commit()
    return create_app(settings)


@pytest.fixture
def client(app: FastAPI) -> Iterator[TestClient]:
    """A browser without JavaScript: keeps cookies, says that it is on the same origin."""
    headers = {"Sec-Fetch-Site": "same-origin"}
    with TestClient(app, base_url="http://127.0.0.1:8000", headers=headers) as client:
        yield client
