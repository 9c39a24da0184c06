"""The hash of the code that measures."""

from pathlib import Path

import pytest

from kernels.bench import provenance


@pytest.fixture
def package(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.setattr(provenance, "_KERNELS", tmp_path)
    for name in ("fused.py", "bench/timing.py", "lab/chain.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x = 1\n")
    return tmp_path


@pytest.mark.parametrize("name", ["fused.py", "bench/timing.py"])
def test_what_measures_changes_the_hash(package: Path, name: str):
    before = provenance.source_hash()
    (package / name).write_text("x = 2\n")
    assert provenance.source_hash() != before


def test_a_file_s_name_belongs_to_the_hash(package: Path):
    before = provenance.source_hash()
    (package / "fused.py").rename(package / "fusing.py")
    assert provenance.source_hash() != before


def test_what_only_concludes_does_not_change_the_hash(package: Path):
    before = provenance.source_hash()
    (package / "lab" / "chain.py").write_text("x = 2\n")
    assert provenance.source_hash() == before


def test_the_hash_is_of_this_package():
    assert (provenance._KERNELS / "fused.py").is_file()
