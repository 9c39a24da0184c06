"""Checking in a process of its own: deadlines, crashes, and that nothing is left behind."""

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta

import pytest

from app.domain.checking.check import check
from app.web.checks import CHILD, Checks, CheckTrouble

READY = "import sys, time, app.web.check_child as c; c.write_frame(sys.stdout.buffer, 'ready')"
ANSWER = "Fusing removes the round trips to memory; the FLOPs stay the same."


@contextmanager
def checks(source: str = "", seconds: float = 120.0) -> Iterator[Checks]:
    command = (sys.executable, "-c", source) if source else CHILD
    checks = Checks(timedelta(seconds=seconds), command)
    try:
        yield checks
    finally:
        checks.close()


def test_the_findings_are_those_of_the_checker_itself(card):
    with checks() as asked:
        assert asked.check(ANSWER, card) == check(ANSWER, card)


def test_what_was_made_ready_checks_the_first_answer(card):
    with checks() as asked:
        asked.get_ready(card)
        child = asked._child
        assert asked.check(ANSWER, card) == check(ANSWER, card)
        assert asked._child is child


def test_a_checker_that_breaks_off_while_it_gets_ready_stops_nothing(card):
    with checks("raise SystemExit(3)") as asked:
        asked.get_ready(card)
        assert asked._child is None


def test_many_answers_at_once_each_get_their_own_findings(card):
    answers = [f"{ANSWER} {'Matmuls gain nothing. ' * n}" for n in range(8)]
    with checks() as asked, ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda answer: asked.check(answer, card), answers))
    assert found == [check(answer, card) for answer in answers]


def test_a_checker_that_never_answers_is_stopped(card):
    with checks(f"{READY}; time.sleep(60)", 0.2) as asked, pytest.raises(CheckTrouble) as told:
        asked.check(ANSWER, card)
    assert "longer than 0.2 s and was stopped" in str(told.value)


def test_a_checker_that_reads_nothing_of_a_long_answer_is_stopped_too(card):
    with checks(f"{READY}; time.sleep(60)", 0.2) as asked, pytest.raises(CheckTrouble):
        asked.check("x" * 1_000_000, card)


def test_a_checker_that_crashes_is_told_and_the_next_check_starts_anew(card, tmp_path):
    crashed = tmp_path / "crashed"
    once = (
        f"from pathlib import Path; p = Path({str(crashed)!r})\n"
        "if not p.exists(): p.touch(); raise SystemExit(9)\n"
        "import app.web.check_child as c; c.main()"
    )
    with checks(once) as asked:
        with pytest.raises(CheckTrouble, match="broke off"):
            asked.check(ANSWER, card)
        assert asked.check(ANSWER, card) == check(ANSWER, card)


DAMAGED = (
    "from app.domain.checking import network, weights; import app.web.check_child as c\n"
    "from pathlib import Path; weights.ROOT = Path('/nowhere')\n"
    "network.FOLDER = weights.ROOT / 'network'; c.main()"
)


def test_a_checker_whose_files_are_damaged_is_told_with_the_file_to_get_back(card, caplog):
    missing = "network/network.onnx is missing: get it back with `git checkout -- network"
    with checks(DAMAGED) as asked:
        asked.get_ready(card)
        assert missing in caplog.text  # as soon as the site has started
        with pytest.raises(CheckTrouble, match="can't be made here: `ridgepoint doctor` says why"):
            asked.check(ANSWER, card)
        asked._command = CHILD
        assert asked.check(ANSWER, card)  # once it is there again


def test_a_checker_that_raises_is_told_and_stays_of_use(card):
    with checks() as asked:
        with pytest.raises(CheckTrouble, match="The check failed"):
            asked.check(ANSWER, None)  # type: ignore[arg-type]  # no card: the checker raises
        assert asked.check(ANSWER, card)


def test_the_process_is_gone_after_closing(card):
    with checks() as asked:
        asked.check(ANSWER, card)
        pid = asked._child.pid
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_stopping_while_the_first_check_is_made_ready_is_no_error(card, monkeypatch):
    asked = Checks(timedelta(seconds=30))
    running = asked._running

    def closed_meanwhile():
        child = running()
        asked.close()
        return child

    monkeypatch.setattr(asked, "_running", closed_meanwhile)
    asked.get_ready(card)


def test_stopping_it_in_several_threads_at_once_is_no_error(card):
    with checks() as asked:
        asked.get_ready(card)
        with ThreadPoolExecutor(8) as pool:
            for done in [pool.submit(asked.close) for _ in range(8)]:
                done.result()
