"""The processor's editions of the size and the broken experiment, at tiny sizes."""

import json

from tests.kernels import needs  # isort: skip  # noqa: F401
from kernels.bench.experiments import broken_cpu, size_cpu
from kernels.bench.protocol import check_event
from kernels.lab import EXPERIMENTS
from kernels.lab.evidence import evidence_of


def events(capsys) -> list[dict]:
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for event in found:
        check_event(event)
    return found


def test_the_size_experiment_ends_in_a_conclusion_about_every_volume(capsys):
    size_cpu.run(EXPERIMENTS["size"].asked("cpu", {}), volumes=(1e4, 1e5, 8e6))
    found = events(capsys)
    assert found[-1]["event"] == "summary" and "8 MB" in found[-1]["sentence"]
    said = EXPERIMENTS["size"].conclude(evidence_of(found))
    assert [row[0] for row in said.tables[0].rows] == ["12 kB", "98 kB", "8 MB"]
    kinds = [event["event"] for event in found]
    assert kinds.index("check") < kinds.index("result")


def test_the_broken_experiment_makes_the_mistakes_that_a_processor_can(capsys):
    broken_cpu.run(EXPERIMENTS["broken"].asked("cpu", {}), rows=512, small_rows=128)
    said = EXPERIMENTS["broken"].conclude(evidence_of(events(capsys)))
    made = {sin for _, sin in said.answer.matches}
    assert made <= set(EXPERIMENTS["broken"].question.options or {})
    assert {"no_warm_up", "unfair_baseline", "tiny_tensor"} <= made
    assert not {"no_synchronize", "compile_in_window", "zeros"} & made
