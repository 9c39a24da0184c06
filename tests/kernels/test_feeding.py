"""The input pipelines of the idle experiment, and its edition for a processor."""

import json

import pytest

from tests.kernels.needs import torch  # isort: skip
from kernels.bench.__main__ import main
from kernels.bench.emit import Failure
from kernels.bench.experiments import feeding, idle, idle_cpu
from kernels.bench.experiments.feeding import BANDS, BUFFERS, Decoder, Ready, Starved, fed
from kernels.lab import EXPERIMENTS
from kernels.lab.evidence import evidence_of


def test_a_batch_is_scaled_and_masked_where_its_number_says():
    torch.manual_seed(0)
    decoder = Decoder(400, torch.float32, pinned=False)
    one, other = decoder.make(1).clone(), decoder.make(2).clone()
    assert one.shape == (400, BANDS)
    assert not torch.equal(one == 0, other == 0)
    assert torch.equal(one[:, 13:28], torch.zeros(400, 15))
    kept = one[one != 0]
    assert abs(kept.mean().item()) < 0.05
    assert kept.std().item() == pytest.approx(1.0, abs=0.05)


def test_a_batch_in_use_is_not_written_over_by_the_next_ones():
    decoder = Decoder(4, torch.float32, pinned=False)
    first = decoder.make(0)
    kept = first.clone()
    for i in range(1, BUFFERS):
        decoder.make(i)
    assert torch.equal(first, kept)


def test_batches_come_in_the_order_made_and_the_thread_ends():
    with Starved(lambda i: torch.tensor(i), 0.001) as source:
        assert [source.get().item() for _ in range(5)] == [0, 1, 2, 3, 4]
    assert not source._thread.is_alive()


def test_the_first_step_is_not_counted():
    seen = []
    step = lambda batch: seen.append(batch.item()) or 5.0  # noqa: E731
    taken = fed(step, Starved(lambda i: torch.tensor(i), 0.001), 3)
    assert seen == [0, 1, 2, 3]
    assert [device for _, device in taken] == [5.0] * 3
    assert all(wall > 0 for wall, _ in taken)


def test_ready_batches_are_all_made_before():
    made = []
    source = Ready(lambda i: made.append(i) or torch.tensor(i))
    assert made == list(range(BUFFERS))
    assert len(fed(lambda batch: float(batch), source, 7)) == 7
    assert made == list(range(BUFFERS))


def test_an_input_that_stops_coming_ends_the_run(monkeypatch):
    monkeypatch.setattr(feeding, "_PATIENCE", 0.01)
    with (
        Starved(lambda i: torch.tensor(i), 1.0) as source,
        pytest.raises(Failure, match="no batch"),
    ):
        source.get()


def test_the_processors_edition_runs_whole(monkeypatch, capsys):
    monkeypatch.setattr(idle_cpu, "ROWS", 64)
    monkeypatch.setattr(idle_cpu, "CHECKED_ROWS", 64)
    monkeypatch.setattr(idle, "QUICK_BLOCKS", 1)
    threads = torch.get_num_threads()
    assert main(["idle", "--device", "cpu"]) == 0
    torch.set_num_threads(threads)
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["event"] for event in events[:2]] == ["progress", "device"]
    assert len([event for event in events if event["event"] == "result"]) == 8
    assert all(event["passed"] for event in events if event["event"] == "check")
    assert EXPERIMENTS["idle"].conclude(evidence_of(events)).sentence == events[-1]["sentence"]
