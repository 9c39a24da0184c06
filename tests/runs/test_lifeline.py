"""What is started on a lifeline ends with its starter, grandchildren too."""

import subprocess
import sys

from app.settings import ROOT
from tests.runs.conftest import eventually, is_alive

STARTER = """
import subprocess, sys, time
child = subprocess.Popen(
    [sys.executable, "-m", "app.runs.lifeline", sys.executable, "-c", {program!r}],
    stdin=subprocess.PIPE, start_new_session=True,
)
print(child.pid, flush=True)
time.sleep(600)
"""
GRANDPARENT = """
import subprocess, sys, time
print(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]).pid, flush=True)
time.sleep(600)
"""


def test_killing_the_starter_ends_the_program_and_what_it_had_started():
    command = [sys.executable, "-c", STARTER.format(program=GRANDPARENT)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as starter:
        assert starter.stdout is not None
        pids = [int(starter.stdout.readline()) for _ in range(2)]
        assert all(is_alive(pid) for pid in pids)
        starter.kill()
    eventually(lambda: not any(is_alive(pid) for pid in pids))


def test_a_program_that_ends_by_itself_passes_its_exit_code_on():
    program = [sys.executable, "-c", "raise SystemExit(3)"]
    command = [sys.executable, "-m", "app.runs.lifeline", *program]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE) as held:
        assert held.wait() == 3
