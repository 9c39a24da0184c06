"""The size of the processor's cache, as Linux writes it."""

from kernels.bench.machine import _cache_bytes


def test_the_largest_cache_is_taken(tmp_path):
    for number, size in enumerate(("48K", "2048K", "32M")):
        (tmp_path / f"index{number}").mkdir()
        (tmp_path / f"index{number}" / "size").write_text(f"{size}\n")
    assert _cache_bytes(tmp_path) == 32 << 20


def test_a_system_that_says_none_has_none(tmp_path):
    assert _cache_bytes(tmp_path) is None
