"""One user at a time, until it ends or dies."""

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from app.runs.locks import at_once, free_name, in_turn
from app.settings import ROOT
from tests.runs.conftest import PATIENCE_SECONDS, eventually

HOLDER = """
import sys, time
from pathlib import Path
from app.runs.locks import at_once
with at_once(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(600)
"""


def is_free(path: Path) -> bool:
    with at_once(path) as free:
        return free


def test_each_living_worker_gets_a_name_of_its_own_and_a_freed_one_is_used_again(tmp_path: Path):
    with free_name(tmp_path, "worker") as first, free_name(tmp_path, "worker") as second:
        assert (first, second) == ("worker-0", "worker-1")
    with free_name(tmp_path, "worker") as again:
        assert again == "worker-0"


def test_a_lock_is_held_while_its_block_lasts(tmp_path: Path):
    path = tmp_path / "device.lock"
    with in_turn(path, threading.Event()) as held:
        assert held
        assert not is_free(path)
    assert is_free(path)


def test_who_waits_for_a_lock_waits_no_longer_than_until_told_to_stop(tmp_path: Path):
    path, stopping = tmp_path / "device.lock", threading.Event()
    threading.Timer(0.1, stopping.set).start()
    with at_once(path), in_turn(path, stopping) as held:
        assert not held


def test_who_waits_for_a_lock_gets_it_when_it_is_let_go(tmp_path: Path):
    path = tmp_path / "device.lock"
    with ThreadPoolExecutor(1) as pool:
        with at_once(path):
            waiting = pool.submit(hold_for_a_moment, path)
        assert waiting.result(timeout=PATIENCE_SECONDS)


def hold_for_a_moment(path: Path) -> bool:
    with in_turn(path, threading.Event()) as held:
        return held


def test_a_lock_is_free_once_its_holder_was_killed(tmp_path: Path):
    path = tmp_path / "device.lock"
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        assert not is_free(path)
        holder.kill()
    assert eventually(lambda: is_free(path))
