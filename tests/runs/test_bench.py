"""A benchmark's output, from a real process: every line of it, and an end when the program ends."""

import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest

from app.domain.running import RunState
from app.runs import bench, output
from app.settings import Settings
from app.store.engine import Database
from tests.runs.conftest import PATIENCE_SECONDS, a_run, a_worker, ended, events_of, is_alive


@pytest.fixture
def alone(tmp_path: Path) -> Settings:
    """Settings that need no database."""
    return Settings(data_dir=tmp_path, bench_module="tests.runs.benches.leaving")


def printed(process: bench.Process, within: float = PATIENCE_SECONDS) -> Iterator[bytes]:
    """Every line until the output ends."""
    over = time.monotonic() + within
    while (line := process.output.next_line(1.0)) != b"":
        assert time.monotonic() < over, "the output did not end"
        if line:
            yield line


def end_what_was_left(pid: object) -> None:
    with suppress(ProcessLookupError):
        os.kill(int(str(pid)), signal.SIGKILL)


def test_the_output_ends_soon_after_the_program_whatever_holds_the_pipe_open(alone: Settings):
    with bench.running(alone, []) as process:
        events = [json.loads(line) for line in printed(process)]
        assert process.exit_code() == 0
    left = events[1]["child"]
    try:
        assert is_alive(left), "nothing was left behind, so this tried nothing"
        assert events[-1]["event"] == "summary"
    finally:
        end_what_was_left(left)


def test_such_a_run_is_done_and_not_held_to_its_deadline(settings: Settings, database: Database):
    run_id = a_run(database, settings)
    leaving = {
        "bench_module": "tests.runs.benches.leaving",
        "run_deadline": timedelta(seconds=25),  # what is left behind lives for 60 s
    }
    with a_worker(settings.model_copy(update=leaving)):
        run = ended(database, run_id)
    end_what_was_left(events_of(database, run_id)[1]["child"])
    assert run.state is RunState.DONE, run.trouble


@pytest.mark.parametrize("size", [1, 3, 7, 100])
def test_lines_are_whole_however_they_come_through_the_pipe(size: int):
    text = b"one\n\ntwo, longer\nthe last without an end"
    bits = (text[start : start + size] for start in range(0, len(text), size))
    assert list(output.lines(bits)) == [
        b"one\n", b"\n", b"two, longer\n", b"the last without an end",
    ]  # fmt: skip


def test_a_line_without_an_end_is_not_gathered_for_ever():
    bits = (b"x" * output.MOST_READ for _ in range(100))
    pieces = list(output.lines(bits))
    assert max(map(len, pieces)) < output.MAX_LINE + output.MOST_READ
    assert sum(map(len, pieces)) == 100 * output.MOST_READ
