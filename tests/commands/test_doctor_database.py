"""`ridgepoint doctor` on the database: a line, whatever is wrong with it, and nothing made."""

import os
from pathlib import Path

import pytest

from app.cli import main


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("postgresql+psycopg://host:port/name", "is no address of a database: mend it."),
        ("postgresql+psycopg://me:hidden@127.0.0.1:1/name", "refused"),
        ("sqlite:////dev/null/in/x.db", "x.db can't be made, since /dev/null is no folder"),
    ],
)
def test_a_database_that_can_not_be_used_is_a_line_and_the_rest_is_told(
    monkeypatch, capsys, tmp_path, url, told
):
    monkeypatch.setenv("RIDGEPOINT_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("RIDGEPOINT_DATABASE_URL", url)
    assert main(["doctor"]) == 1
    lines = capsys.readouterr().out.splitlines()
    (line,) = [line for line in lines if line.startswith("– database")]
    assert told in line and "hidden" not in line
    assert all(line.startswith(("✓ ", "– ")) for line in lines)
    assert any(line.startswith("✓ disk") for line in lines)


@pytest.mark.parametrize("folder", ["not/there", "there"])
def test_a_database_that_is_not_there_is_not_made_by_looking(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, folder: str
):
    (tmp_path / "there").mkdir()
    monkeypatch.setenv("RIDGEPOINT_DATA_DIR", str(tmp_path / folder))
    assert main(["doctor"]) == 0
    assert f"✓ database: {tmp_path / folder}/ridgepoint.db will be made" in capsys.readouterr().out
    assert list(tmp_path.rglob("*")) == [tmp_path / "there"]


def test_a_folder_that_can_not_be_written_to_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    monkeypatch.setenv("RIDGEPOINT_DATA_DIR", str(tmp_path / "data"))
    there = os.access
    monkeypatch.setattr(os, "access", lambda path, how: how == os.F_OK and there(path, how))
    assert main(["doctor"]) == 1
    assert f"since {tmp_path} can't be written to" in capsys.readouterr().out
