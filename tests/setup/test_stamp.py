"""A finished environment is told from a broken, stale or half-made one."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from environment import stamp
from tests.setup.checkout import make_checkout, make_environment


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_checkout(tmp_path / "checkout")


def site(root: Path) -> Path:
    return root / f".venv/lib/python{stamp.this_python()}/site-packages"


def test_a_finished_environment_is_ready(root: Path) -> None:
    made = make_environment(root)
    assert stamp.read(root) == made
    assert made.folders == ("alpha", "beta")
    assert stamp.ready(root, gpu=False)


def test_a_copy_elsewhere_is_ready_too(root: Path, tmp_path: Path) -> None:
    make_environment(root)
    copy = shutil.copytree(root, tmp_path / "elsewhere", symlinks=True)
    shutil.rmtree(root)
    assert stamp.ready(copy, gpu=False)


def lose_a_package(root: Path) -> None:
    (site(root) / "beta").rmdir()


def lose_all_packages(root: Path) -> None:
    shutil.rmtree(site(root))


def lose_its_python(root: Path) -> None:
    (root / ".venv/bin/python").unlink()
    (root / ".venv/bin/python").symlink_to("/no/such/python")


def change_the_lock(root: Path) -> None:
    (root / stamp.LOCK).write_text("other==1\n")


def lose_half_the_stamp(root: Path) -> None:
    path = root / ".venv/setup.json"
    path.write_text(path.read_text()[:40])


def keep_a_stamp_of_another_version(root: Path) -> None:
    (root / ".venv/setup.json").write_text('{"lock": "", "python": "3.12", "colour": 1}')


def lose_the_stamp(root: Path) -> None:
    (root / ".venv/setup.json").unlink()


HARM = [
    lose_a_package,
    lose_all_packages,
    lose_its_python,
    change_the_lock,
    lose_half_the_stamp,
    keep_a_stamp_of_another_version,
    lose_the_stamp,
]


@pytest.mark.parametrize("harm", HARM)
def test_harm_is_noticed(root: Path, harm: Callable[[Path], None]) -> None:
    make_environment(root)
    harm(root)
    assert not stamp.ready(root, gpu=False)


def test_a_package_updated_by_hand_is_no_harm(root: Path) -> None:
    make_environment(root)
    (site(root) / "alpha-1.0.dist-info").rename(site(root) / "alpha-1.1.dist-info")
    assert stamp.ready(root, gpu=False)


def test_torch_is_chosen_anew_when_a_gpu_appears_and_kept_when_it_goes(root: Path) -> None:
    make_environment(root, torch="none", gpu=False)
    assert not stamp.ready(root, gpu=True)
    shutil.rmtree(root / ".venv")
    make_environment(root, torch="2.13.0", gpu=True)
    assert stamp.ready(root, gpu=False)


def test_an_environment_stopped_before_torch_is_not_ready(root: Path) -> None:
    make_environment(root, torch="")
    assert not stamp.ready(root, gpu=False)
