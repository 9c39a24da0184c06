"""The processor's editions of the lab, run small: whole measurements with a conclusion."""

import json

import pytest

from tests.kernels.needs import torch  # isort: skip
from kernels.bench.cpu_harness import CpuBench
from kernels.bench.experiments import activation_cpu, roofline_cpu
from kernels.bench.protocol import check_event
from kernels.lab import EXPERIMENTS
from kernels.lab.evidence import evidence_of

SMALL = {
    activation_cpu: {"ELEMENTS": 1 << 12},
    roofline_cpu: {"ROWS": 512, "FEATURES": 64, "PEAK_SIDE": 64, "PRODUCT_FRAMES": 64,
                   "PRODUCT_FEATURES": 64},
}  # fmt: skip


@pytest.fixture
def one_thread():
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("program", SMALL, ids=lambda program: program.__name__.split(".")[-1])
def test_a_small_run_is_whole_and_draws_its_conclusion(program, monkeypatch, capsys):
    for name, value in SMALL[program].items():
        monkeypatch.setattr(program, name, value)
    monkeypatch.setattr(CpuBench, "QUICK_ROUNDS", 3)
    experiment = EXPERIMENTS[program.__name__.rsplit(".", 1)[-1].removesuffix("_cpu")]
    program.run(experiment.asked("cpu", {}))
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for event in events:
        check_event(event)
    assert events[0]["event"] == "progress" and events[-1]["event"] == "summary"
    last = [event for event in events if event["event"] == "progress"][-1]
    assert last["done"] == last["of"]
    assert all(event["passed"] for event in events if event["event"] == "check")
    said = experiment.conclude(evidence_of(events))
    assert said.sentence == events[-1]["sentence"]
    assert "one core" in said.sentence
