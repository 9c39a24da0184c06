"""The lock files: fresh, whole, and free of any one machine's addresses."""

import re

import pytest

import lock
from tests.setup.checkout import ROOT

LOCKS = [lock.EVERYTHING, lock.SERVER]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def versions(name: str) -> set[tuple[str, str]]:
    """Name and version of each package; one may come in a version for each Python."""
    return set(re.findall(r"^([\w.-]+)==(\S+)", read(name), re.MULTILINE))


def names(name: str) -> set[str]:
    return {package for package, _ in versions(name)}


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_is_made_from_the_dependencies_that_the_project_has_now(name: str) -> None:
    assert read(name).startswith(lock.heading()), "say 'make lock' and commit what it writes"


@pytest.mark.parametrize("name", LOCKS)
def test_every_locked_package_has_a_hash(name: str) -> None:
    blocks = re.split(r"^(?=[\w.-]+==)", read(name), flags=re.MULTILINE)[1:]
    assert len(blocks) == len(versions(name)) > 30
    assert [block for block in blocks if "--hash=sha256:" not in block] == []


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_names_no_index_and_no_address(name: str) -> None:
    assert re.findall(r"--(?:extra-)?index|--find-links|\w+://", read(name)) == []


def test_the_servers_lock_is_a_part_of_the_whole_and_brings_no_tools() -> None:
    assert versions(lock.SERVER) <= versions(lock.EVERYTHING)
    assert names(lock.SERVER).isdisjoint({"pytest", "ruff", "pyright", "playwright"})


@pytest.mark.parametrize("name", LOCKS)
def test_torch_and_triton_are_in_no_lock(name: str) -> None:
    assert names(name).isdisjoint({"torch", "triton"})
