"""Settings that don't fit, and databases that aren't there, are said in a sentence."""

import os
from datetime import timedelta

import pytest
from sqlalchemy import text

from app.cli import main
from app.settings import Settings


def told(monkeypatch, capsys, **settings):
    for name, value in settings.items():
        monkeypatch.setenv(f"RIDGEPOINT_{name}", str(value))
    assert main(["migrate"]) == 1
    said = capsys.readouterr().err
    assert "Traceback" not in said and "pydantic" not in said and "sqlalche.me" not in said
    return said.splitlines()[-1]


@pytest.mark.parametrize("url", ["nonsense", "mysql://somewhere/db", "postgresql+asyncpg://x/y"])
def test_a_database_of_another_kind_is_refused(monkeypatch, capsys, url):
    said = told(monkeypatch, capsys, DATABASE_URL=url)
    assert "RIDGEPOINT_DATABASE_URL must begin with sqlite:// or postgresql+psycopg://" in said


@pytest.mark.parametrize(
    "url",
    [
        "sqlite://",
        "sqlite:///",
        "sqlite:///?uri=true",
        "sqlite:///:memory:",
        "sqlite:///%3Amemory%3A",
        "sqlite:///:memory:?cache=shared",
        "sqlite:///:memory:?uri=true",
        "sqlite:///file:?uri=true",
        "sqlite:///file::memory:?uri=true",
        "sqlite:///file::memory:?cache=shared&uri=1",
        "sqlite:///file:%253Amemory%253A?uri=true",
        "sqlite:///file:some?mode=memory&cache=shared&uri=true",
        "sqlite:///file:/some?vfs=memdb&uri=true",
        "sqlite:///file:some?mode=mem%256Fry&uri=true",
        "sqlite:///file:some%3Fmode=memory?uri=true",
        "sqlite:///file:%23some?uri=true",
        "sqlite:///file://localhost?uri=true",
        "sqlite:///file:%2500some?uri=true",
        "sqlite:////some%00.db",
    ],
)
def test_a_database_that_only_one_process_has_is_refused(monkeypatch, capsys, url):
    said = told(monkeypatch, capsys, DATABASE_URL=url)
    assert "RIDGEPOINT_DATABASE_URL names no file" in said


@pytest.mark.parametrize(
    "url",
    [
        "sqlite:////var/lib/some.db",
        "sqlite:///some.db?timeout=5",
        "sqlite:////memory/:memory:",
        "sqlite:///file:/var/lib/some.db?nolock=1&uri=true",
        "sqlite:///file:/var/lib/some.db?mode=memory&uri=false",
    ],
)
def test_a_database_in_a_file_is_taken_however_it_is_named(monkeypatch, url):
    monkeypatch.setenv("RIDGEPOINT_DATABASE_URL", url)
    assert Settings().resolved_database_url == url


@pytest.mark.parametrize(
    "secret", ["x", "thirty-one characters, no more.", "ab" * 32, " " * 40 + "key"]
)
def test_a_secret_that_can_be_guessed_is_refused_with_what_to_do(monkeypatch, capsys, secret):
    said = told(monkeypatch, capsys, SECRET=secret)
    assert "RIDGEPOINT_SECRET can be guessed: set 32 or more random characters" in said
    assert "`openssl rand -hex 32`" in said


@pytest.mark.parametrize(
    "secret", ["", "9f8b2c61d0e74a35b8c19d2e6f7a0b43", "schlüssel, den niemand erraten kann"]
)
def test_a_secret_that_is_long_enough_or_none_is_taken(monkeypatch, secret):
    monkeypatch.setenv("RIDGEPOINT_SECRET", secret)
    assert Settings().secret == secret


def test_all_that_does_not_fit_is_said_at_once(monkeypatch, capsys):
    said = told(monkeypatch, capsys, SECRET="short", DATABASE_URL="sqlite://")
    assert "RIDGEPOINT_SECRET can be guessed" in said and "_DATABASE_URL names no file" in said


def test_so_it_is_where_one_is_of_another_type(monkeypatch, capsys):
    said = told(monkeypatch, capsys, PORT="any", SECRET="short", JUDGE_URL="http://[::1/v1")
    assert "RIDGEPOINT_PORT: " in said and "RIDGEPOINT_SECRET can be guessed" in said
    assert "RIDGEPOINT_JUDGE_URL is no address" in said


@pytest.mark.parametrize("name", ["SECRET", "DATABASE_URL", "DATA_DIR", "JUDGE_KEY", "ORIGIN"])
def test_bytes_that_are_no_text_are_refused(monkeypatch, capsys, name):
    said = told(monkeypatch, capsys, **{name: os.fsdecode(b"sqlite:////some/\xff" * 3)})
    assert f"RIDGEPOINT_{name} holds bytes that are no UTF-8" in said


@pytest.mark.parametrize(
    "url", ["http://host:port/v1", "http://[::1/v1", "http://a..b/v1", "http://host/v1\n"]
)
def test_a_judge_to_whom_no_request_can_be_sent_is_refused(monkeypatch, capsys, url):
    said = told(monkeypatch, capsys, JUDGE_URL=url, JUDGE_MODEL="m")
    assert "RIDGEPOINT_JUDGE_URL is no address that a request can be sent to: check its" in said


@pytest.mark.parametrize("key", ["schlüssel", "hidden\n"])
def test_a_key_that_no_header_can_hold_is_refused_and_not_shown(monkeypatch, capsys, key):
    said = told(monkeypatch, capsys, JUDGE_KEY=key)
    assert "RIDGEPOINT_JUDGE_KEY is no key: copy it anew" in said and key.strip() not in said


def test_an_address_that_cannot_be_read_is_refused(monkeypatch, capsys):
    said = told(monkeypatch, capsys, DATABASE_URL="postgresql+psycopg://host:port/name")
    assert "RIDGEPOINT_DATABASE_URL is no address of a database" in said


def test_every_setting_that_does_not_fit_is_named_without_its_value(monkeypatch, capsys):
    said = told(monkeypatch, capsys, CHECK_DEADLINE="soon", PORT=70000)
    assert "RIDGEPOINT_CHECK_DEADLINE: " in said and "RIDGEPOINT_PORT: " in said
    assert "soon" not in said


@pytest.mark.parametrize("written", ["2.5", "PT2.5S", "00:00:02.5"])
def test_a_length_of_time_is_seconds_or_as_in_iso_8601(monkeypatch, written):
    monkeypatch.setenv("RIDGEPOINT_CHECK_DEADLINE", written)
    assert Settings().check_deadline == timedelta(seconds=2.5)


@pytest.mark.parametrize("written", ["0", "-1", "PT0S", "nan", "1e300"])
@pytest.mark.parametrize("name", ["CHECK_DEADLINE", "RUN_DEADLINE", "WORKER_LOST_AFTER"])
def test_a_deadline_in_which_nothing_can_be_done_is_refused(monkeypatch, capsys, name, written):
    assert f"RIDGEPOINT_{name}: " in told(monkeypatch, capsys, **{name: written})


def test_a_server_that_is_away_is_told_with_what_to_see_to(monkeypatch, capsys, tmp_path):
    url = "postgresql+psycopg://someone:hidden@127.0.0.1:1/db"
    said = told(monkeypatch, capsys, DATABASE_URL=url, DATA_DIR=tmp_path)
    assert "refused" in said and "see that its server runs" in said
    assert "hidden" not in said


def test_a_file_that_is_no_database_is_told_with_what_to_see_to(monkeypatch, capsys, tmp_path):
    (tmp_path / "ridgepoint.db").write_bytes(b"not a database at all " * 400)
    said = told(monkeypatch, capsys, DATA_DIR=tmp_path)
    assert "file is not a database" in said and "try again" in said


def test_a_database_of_a_newer_version_is_refused(monkeypatch, capsys, database, database_url):
    with database.writing.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'later'"))
    said = told(monkeypatch, capsys, DATABASE_URL=database_url)
    assert "a newer Ridgepoint than this one: update this copy" in said
