"""`ridgepoint runs show` and `ridgepoint runs import` at the command line."""

import io
import json
import os
import sys
from datetime import datetime
from pathlib import Path

import pytest

from app import cli
from app.runs.receipts import Receipt
from app.settings import ROOT
from app.store.engine import open_database
from tests.runs.conftest import the_run
from tests.runs.measured import a_measurement

MADE = datetime.fromisoformat("2026-11-30T18:45:01+00:00")


def a_file(folder: Path, file_name: str = "run.json", **others: object) -> Path:
    path = folder / file_name
    path.write_text(Receipt(tuple(a_measurement(**others)), MADE, MADE).as_text())
    return path


def told(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    code = cli.main(["runs", *map(str, arguments)])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.fixture
def url(database_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("RIDGEPOINT_DATABASE_URL", database_url)
    return database_url


def test_a_receipt_is_shown_without_any_database(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("RIDGEPOINT_DATABASE_URL", "postgresql+psycopg://nobody@127.0.0.1:1/none")
    code, out, _ = told(capsys, "show", a_file(tmp_path, suspect=("The GPU was shared.",)))
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == "One pass is 2.20× faster than the three separate kernels on a Test device."
    assert lines[1] == "Suspect: The GPU was shared."
    assert "Measured on Test device, 30 Nov 2026, 18:45 UTC" in out
    assert "220.0 µs ÷ 100.0 µs" in out
    assert "RFC 8785" in lines[-1]


def test_the_columns_of_a_table_stand_in_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    _, out, _ = told(capsys, "show", a_file(tmp_path))
    rows = out.partition("Every case\n")[2].splitlines()[:3]
    assert [row.split()[0] for row in rows] == ["Case", "separate", "fused"]
    assert len({len(row) for row in rows}) == 1


def test_what_would_steer_a_terminal_is_refused_and_never_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    hostile = "\x1b]0;owned\x07\x1b[2J\u202eGPU\r"
    code, out, said = told(capsys, "show", a_file(tmp_path, f"{hostile}.json", name=hostile))
    assert (code, out) == (1, "")
    assert "it holds a character that can't be seen" in said
    assert said.removesuffix("\n").isprintable()


def test_a_page_is_written_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "run.html"
    code, said, _ = told(capsys, "show", a_file(tmp_path), "--html", out)
    assert (code, "needs no server" in said) == (0, True)
    html = out.read_text()
    assert html.startswith("<!doctype html>") and "--paper" in html
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.html", "run.json"]


def test_a_page_that_cannot_be_written_is_told_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    code, _, err = told(capsys, "show", a_file(tmp_path), "--html", tmp_path / "no" / "run.html")
    assert code == 1
    assert err.count("\n") == 1 and "can't be written: No such file or directory." in err


def test_a_file_whose_name_is_no_utf8_is_told_of_in_any_locale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str
):
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="strict")
    monkeypatch.setattr(sys, "stdout", out)
    name = a_file(tmp_path, os.fsdecode(b"run\xff.json"))
    page = tmp_path / os.fsdecode(b"page\xff.html")
    assert cli.main(["runs", "show", str(name), "--html", str(page)]) == 0
    assert cli.main(["runs", "import", str(name)]) == 0
    out.seek(0)
    shown, brought_in = out.read().splitlines()
    assert page.exists() and shown.endswith("page\ufffd.html shows the run; it needs no server.")
    assert "run\ufffd.json: imported, at /runs/imported-" in brought_in


def test_receipts_are_imported_once(tmp_path: Path, capsys: pytest.CaptureFixture[str], url: str):
    first, second = a_file(tmp_path), a_file(tmp_path, "other.json", name="Another device")
    code, out, _ = told(capsys, "import", first, second)
    assert (code, out.count(": imported, at /runs/imported-")) == (0, 2)
    code, out, _ = told(capsys, "import", first)
    assert (code, "was here already, at /runs/imported-" in out) == (0, True)
    database = open_database(url)
    run = the_run(database, out.strip().rpartition("/")[2])
    assert run.finished_at == MADE
    database.dispose()


def test_one_bad_receipt_leaves_all_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], url: str
):
    good, bad = a_file(tmp_path), a_file(tmp_path, "bad.json")
    file = json.loads(bad.read_text())
    file["content"]["device"]["name"] = "Faster"
    bad.write_text(json.dumps(file))
    code, out, err = told(capsys, "import", good, bad)
    assert (code, out) == (1, "")
    assert err.startswith(f"ridgepoint: {bad} was changed after it was written")
    assert told(capsys, "import", good)[1].count(": imported") == 1


@pytest.mark.parametrize("text", ["", "{}", "\x1b[2J", '{"format": "ridgepoint-receipt"}'])
def test_what_is_no_receipt_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
):
    path = tmp_path / "gossip.json"
    path.write_text(text)
    code, _, err = told(capsys, "show", path)
    assert code == 1
    assert err.startswith(f"ridgepoint: {path} ") and err.endswith(".\n") and err.count("\n") == 1


def test_the_receipt_of_a_recording_can_be_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    for path in sorted((ROOT / "content" / "recordings").glob("*/*.jsonl")):
        events = tuple(json.loads(line) for line in path.read_text().splitlines())
        (tmp_path / "run.json").write_text(Receipt(events, MADE, MADE).as_text())
        code, out, _ = told(capsys, "show", tmp_path / "run.json")
        assert code == 0 and "NVIDIA H200" in out.splitlines()[0], path
