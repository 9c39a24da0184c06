"""What is recorded, in which order, and what becomes of a recording that fails."""

import pytest

from kernels.bench import record
from kernels.bench.emit import Failure
from kernels.lab import EXPERIMENTS


def recordings(*only):
    return [
        one for name in record._order(only) for one in record._recordings(EXPERIMENTS[name])
    ]  # fmt: skip


def test_every_experiment_is_recorded_and_the_chain_last_in_every_preset():
    names = [one.name for one in recordings()]
    assert len(set(names)) == len(names)
    assert {name.split("-")[0] for name in names[:-25]} == set(EXPERIMENTS) - {"chain"}
    assert names[-25] == "whisper-large-bf16-forward" and names[-1] == "hubert-base-bf16-both"


def test_one_experiment_can_be_recorded_alone():
    assert [one.name for one in recordings("width")] == ["width"]


def test_what_a_quick_run_leaves_open_is_recorded_in_full():
    for name in ("width", "size"):  # rows that are read twice; from which volume on bytes are right
        [(_, asked)] = record._runs(EXPERIMENTS[name])
        assert asked.parameters["mode"] == "full"


def test_caches_are_filled_for_the_chain_alone_by_short_runs_of_the_same_shapes():
    assert [one.before for one in recordings("size", "share")] == [(), (), ()]
    chain = recordings("chain")
    assert chain[0].before == [
        "chain", "--rows", "48000", "--features", "1280", "--dtype", "bf16",
        "--direction", "forward", "--samples", "3",
    ]  # fmt: skip
    assert len({tuple(one.before) for one in chain}) == 25


def test_a_whole_recording_takes_the_place_of_the_last(tmp_path):
    path = tmp_path / "width.jsonl"
    path.write_text("old")
    one = record.Recording("width", lambda partial: partial.write_text("new") and None)
    assert record._recorded(one, path) is None
    assert path.read_text() == "new" and list(tmp_path.iterdir()) == [path]


def test_a_failed_recording_leaves_the_last_as_it_was_and_says_why(tmp_path):
    def fail(partial):
        partial.write_text("half")
        raise Failure("no_gpu", "No GPU can be used here.")

    path = tmp_path / "width.jsonl"
    path.write_text("old")
    assert record._recorded(record.Recording("width", fail), path) == "No GPU can be used here."
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_a_run_that_fails_is_told_by_its_own_last_event(tmp_path, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    pytest.importorskip("torch")
    asked = EXPERIMENTS["width"].asked("cuda", {})
    with pytest.raises(Failure, match="No GPU can be used here"):
        record._in_a_process(asked, tmp_path / "width.jsonl")


def test_a_process_that_says_nothing_is_told_by_its_complaint(tmp_path):
    (tmp_path / "empty").write_text("")
    assert record._last_words(tmp_path / "empty", "Traceback\nKilled\n") == "Killed"
    assert record._last_words(tmp_path / "empty", "") == "it said nothing"
