"""Recordings become runs: whole, once, and without touching what learners said of them."""

import json
import os
from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy import func, select

from app.domain.guess import Guess
from app.domain.running import RunSource, RunState
from app.runs import guesses
from app.runs.listing import recorded_like
from app.runs.recordings import import_recordings
from app.store.engine import Database
from app.store.models import Learner, Run, RunEvent
from app.trouble import Trouble
from tests.runs.benches import CHECK, DEVICE, FUSED, LIMIT, PARAMETERS, SEPARATE, SUMMARY
from tests.runs.conftest import the_run

RUN_ID = "test-device-whisper-large-bf16-forward"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one recording."""
    record(tmp_path)
    return tmp_path


def record(folder: Path, **others: object) -> Path:
    events = [DEVICE | others, CHECK, LIMIT, SEPARATE, FUSED, SUMMARY]
    path = folder / "test-device" / "whisper-large-bf16-forward.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{json.dumps(event)}\n" for event in events))
    return path


def imported(database: Database, folder: Path, now: datetime) -> int:
    with database.changing() as session:
        changed = import_recordings(session, folder, now)
        session.commit()
        return changed


def test_a_recording_is_a_run_that_is_done_under_its_files_name(
    database: Database, folder: Path, now: datetime
):
    assert imported(database, folder, now) == 1
    run = the_run(database, RUN_ID)
    assert (run.source, run.state) == (RunSource.RECORDED, RunState.DONE)
    asked = {name: PARAMETERS[name] for name in ("preset", "dtype", "direction")}
    with database.reading() as session:
        found = recorded_like(session, "chain", asked)
        assert found is not None and found.id == RUN_ID


def test_importing_again_changes_nothing(database: Database, folder: Path, now: datetime):
    imported(database, folder, now)
    assert imported(database, folder, now) == 0
    with database.reading() as session:
        assert session.scalar(select(func.count()).select_from(RunEvent)) == 6
        assert session.scalar(select(func.count()).select_from(Run)) == 1


def test_a_newer_recording_replaces_the_lines_and_keeps_what_was_expected(
    database: Database, folder: Path, now: datetime, learner: Learner
):
    imported(database, folder, now)
    with database.changing() as session:
        guesses.keep(session, the_run(database, RUN_ID), learner, Guess(3.0, 3.0), now)
        session.commit()
    record(folder, name="A newer device")
    assert imported(database, folder, now) == 1
    with database.reading() as session:
        first = session.get(RunEvent, (RUN_ID, 0))
        assert first is not None and first.body["name"] == "A newer device"
        assert guesses.guess_of(session, the_run(database, RUN_ID), learner) == Guess(3.0, 3.0)


def test_the_date_is_the_recordings_own_or_none(database: Database, folder: Path, now: datetime):
    imported(database, folder, now)
    assert the_run(database, RUN_ID).finished_at is None
    record(folder, at="2026-11-29T08:00:00+00:00")
    imported(database, folder, now)
    finished = the_run(database, RUN_ID).finished_at
    assert finished is not None and finished.isoformat() == "2026-11-29T08:00:00+00:00"


def test_a_broken_line_is_named_with_file_and_number_and_nothing_is_kept(
    database: Database, folder: Path, now: datetime
):
    path = record(folder)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:2], "nonsense", *lines[2:]]))
    with pytest.raises(Trouble, match=r"forward\.jsonl:3: "):
        imported(database, folder, now)


def test_a_recording_that_is_not_whole_is_refused(database: Database, folder: Path, now: datetime):
    path = record(folder)
    path.write_text("\n".join(path.read_text().splitlines()[:-1]))
    with pytest.raises(Trouble, match="no summary"):
        imported(database, folder, now)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (b"run\xff", r"run\\udcff.jsonl' can't name a run .* that can't be stored"),
        ("run\u202e1".encode(), "can't name a run .* that can't be seen"),
        (b"r" * 200, "can't name a run .* more than 200 characters"),
    ],
)
def test_a_file_whose_name_is_no_address_is_a_sentence_and_nothing_is_lost(
    database: Database, folder: Path, now: datetime, name: bytes, why: str
):
    imported(database, folder, now)
    path = record(folder, name="A newer device")
    path.rename(path.parent / f"{os.fsdecode(name)}.jsonl")
    record(folder, name="Another device")
    with pytest.raises(Trouble, match=why):
        imported(database, folder, now)
    with database.reading() as session:
        first = session.get(RunEvent, (RUN_ID, 0))
        assert first is not None and first.body["name"] == DEVICE["name"]


def test_two_files_that_name_one_run_are_both_named(
    database: Database, folder: Path, now: datetime
):
    path = record(folder)
    twin = folder / "test" / "device-whisper-large-bf16-forward.jsonl"
    twin.parent.mkdir()
    twin.write_bytes(path.read_bytes())
    with pytest.raises(Trouble, match=f"both name the run {RUN_ID}: rename one"):
        imported(database, folder, now)
