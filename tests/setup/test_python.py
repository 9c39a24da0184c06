"""Which Python sets up, and what one reads where none will do."""

import ast
import os
import subprocess
import sys
from pathlib import Path

from tests.setup.checkout import ROOT, copy_setup, make_checkout

BOOTSTRAP = ROOT / ".ci/bootstrap.py"
THIS = f"{sys.version_info.major}.{sys.version_info.minor}"
LATER_THAN_PYTHON_2 = (
    ast.JoinedStr,
    ast.AnnAssign,
    ast.AsyncFunctionDef,
    ast.NamedExpr,
    ast.Nonlocal,
    ast.Starred,
    ast.Match,
    ast.YieldFrom,
)


def run(command: list[str], **surroundings: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHON": "", **surroundings}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def write_program(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_an_old_python_is_refused_in_one_sentence() -> None:
    pretend = (
        "import runpy, sys; sys.version_info = (3, 10, 4, 'final', 0); "
        f"runpy.run_path({str(BOOTSTRAP)!r}, run_name='__main__')"
    )
    done = run([sys.executable, "-c", pretend])
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "needs Python 3.11 or newer" in done.stderr
    assert "is 3.10: install a newer one" in done.stderr
    assert done.stdout == ""


def test_the_file_that_refuses_is_written_in_what_an_old_python_can_read() -> None:
    tree = ast.parse(BOOTSTRAP.read_text(encoding="utf-8"))
    assert [n for n in ast.walk(tree) if isinstance(n, LATER_THAN_PYTHON_2)] == []
    assert BOOTSTRAP.read_bytes().isascii()


def test_a_python_that_does_not_run_is_told_in_one_sentence(tmp_path: Path) -> None:
    setup = copy_setup(make_checkout(tmp_path / "checkout"))
    done = run(["/bin/sh", str(setup)], PYTHON="/no/such/python")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("/no/such/python does not run here: install Python 3.11")


def test_a_name_on_the_path_that_runs_nothing_is_passed_over(tmp_path: Path) -> None:
    setup = copy_setup(make_checkout(tmp_path / "checkout"))
    write_program(tmp_path / "bin/python3.12", "echo 'not installed' >&2; exit 127")
    write_program(tmp_path / "bin/python3.11", f'exec {sys.executable} "$@"')
    path = f"{tmp_path / 'bin'}:{os.defpath}"
    done = run(["/bin/sh", str(setup), "--torch"], PATH=path)
    assert (done.returncode, done.stdout) == (0, f"ran {THIS} --torch\n")


def test_the_python_that_made_the_environment_is_tried_first(tmp_path: Path) -> None:
    root = make_checkout(tmp_path / "a checkout")
    setup = copy_setup(root)
    write_program(tmp_path / "former python", f'echo former; exec {sys.executable} "$@"')
    (root / ".venv").mkdir()
    former = tmp_path / "former python"
    (root / ".venv/pyvenv.cfg").write_text(f"home = /nowhere\nexecutable = {former}\n")
    done = run(["/bin/sh", str(setup)])
    assert done.stdout.endswith(f"former\nran {THIS}\n")
