"""Making an environment: the old one is kept where that fails, and the command moves along."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from environment import install, main
from environment.failure import SetupError
from tests.setup.checkout import ROOT, link_python, make_checkout, make_environment


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = make_checkout(tmp_path / "a checkout")
    (made / ".cache").mkdir()
    return made


def test_the_old_environment_comes_back_where_making_a_new_one_fails(root: Path) -> None:
    make_environment(root)
    with pytest.raises(SetupError), install.set_aside(root):
        (root / ".venv").mkdir()
        (root / ".venv/half").touch()
        raise SetupError("no network")
    assert main.main(["--check"], root) == 0
    assert not (root / ".venv/half").exists()


def test_the_old_environment_goes_once_the_new_one_is_made(root: Path) -> None:
    make_environment(root)
    with install.set_aside(root):
        (root / ".venv").mkdir()
    assert list((root / ".venv").iterdir()) == []
    assert list((root / ".cache").iterdir()) == []


@pytest.mark.parametrize("dangling", [True, False])
def test_what_is_no_folder_makes_room_for_the_environment(root: Path, dangling: bool) -> None:
    if dangling:
        (root / ".venv").symlink_to("/no/such/place")
    else:
        (root / ".venv").write_text("a file")
    with install.set_aside(root):
        assert not (root / ".venv").is_symlink()
        (root / ".venv").mkdir()


def give_it_an_app(root: Path) -> None:
    (root / "app").mkdir()
    (root / "app/__init__.py").touch()
    tell = "import os, sys\nprint(__file__, os.getcwd(), *sys.argv[1:], sep='|')\n"
    (root / "app/cli.py").write_text(tell)
    link_python(root)
    install.install_command(root)


def test_the_command_runs_its_own_checkout_and_stays_in_the_callers_folder(
    root: Path, tmp_path: Path
) -> None:
    give_it_an_app(root)
    moved = Path(shutil.move(root, tmp_path / "moved elsewhere"))
    (tmp_path / "link").symlink_to(moved / ".venv/bin/ridgepoint")
    caller = tmp_path / "caller"
    (caller / "app").mkdir(parents=True)
    (caller / "app/__init__.py").write_text("raise SystemExit('the wrong app')")
    for command in (tmp_path / "link", moved / ".venv/bin/ridgepoint"):
        told = subprocess.check_output([command, "check", "a b.jsonl"], cwd=caller, text=True)
        assert told.strip() == f"{moved / 'app/cli.py'}|{caller}|check|a b.jsonl"


def test_without_a_package_index_one_sentence_says_so(root: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / ".ci", root / ".ci", dirs_exist_ok=True)
    (root / ".ci/requirements-dev.lock").write_text(f"nothing-here==1 --hash=sha256:{'0' * 64}\n")
    alone = {"PATH": os.defpath, "HOME": str(tmp_path), "PIP_CONFIG_FILE": os.devnull}
    refused = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PYTHON": sys.executable}
    done = subprocess.run(
        ["/bin/sh", root / ".ci/setup"],
        env=alone | refused,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("The package index could not be reached while installing")
    assert done.stderr.count("\n") == 1
    assert "nothing-here" in (root / ".cache/setup.log").read_text()
    assert main.main(["--check"], root) == 1
