"""The benchmark program, run as a program."""

import json
import signal
import subprocess
import sys
import time

import pytest

from tests.kernels.needs import torch  # isort: skip
import kernels
from kernels.bench import cpu_checks
from kernels.bench.protocol import check_event

SMALL = ("--device", "cpu", "--rows", "64", "--features", "128", "--samples", "3")


def bench(*arguments: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "kernels.bench", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def events(output: str) -> list[dict]:
    found = [json.loads(line) for line in output.splitlines()]
    for event in found:
        check_event(event)
    return found


def test_the_cpu_edition_checks_measures_and_concludes():
    done = bench("chain", *SMALL)
    assert done.returncode == 0, done.stderr
    found = events(done.stdout)
    kinds = [event["event"] for event in found]
    assert kinds[:2] == ["progress", "device"]
    assert kinds[-1] == "summary"
    assert kinds.index("check") < kinds.index("result")
    checks = [event for event in found if event["event"] == "check"]
    assert {"triton_fused", "triton_separate"} < {event["variant"] for event in checks}
    assert all(event["passed"] for event in checks)
    results = {event["variant"]: event for event in found if event["event"] == "result"}
    assert set(results) == {"separate", "fused", "chain_separate", "chain_fused"}
    assert len(results["fused"]["samples_us"]) == results["fused"]["n"] == 3


def test_an_interpreter_that_does_not_run_is_told_and_stops_nothing(monkeypatch):
    errors = pytest.importorskip("triton.runtime.errors")

    def fused_chain(*_):
        raise errors.InterpreterError("TypeError('only 0-dimensional arrays')")

    monkeypatch.setattr(kernels, "fused_chain", fused_chain)
    assert "not checked: TypeError" in cpu_checks.check_kernels(torch)


def test_the_device_is_named():
    (event,) = events(bench("device").stdout)
    assert event["kind"] == ("cuda" if torch.cuda.is_available() else "cpu")
    assert event["name"]


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_without_a_gpu_the_gpu_run_says_so():
    done = bench("chain", "--preset", "hubert-base")
    assert done.returncode == 1
    (loading, event) = events(done.stdout)
    assert loading["doing"] == "loading PyTorch"
    assert (event["event"], event["kind"]) == ("error", "no_gpu")


@pytest.mark.parametrize("delay", [0.0, 0.5, 3.0])
def test_a_signal_ends_it_cleanly_whatever_it_is_doing(delay):
    command = [sys.executable, "-m", "kernels.bench", "chain", "--device", "cpu",
               "--preset", "whisper-large", "--samples", "5000"]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(delay)
        process.send_signal(signal.SIGTERM)
        rest = process.stdout.read()
    assert process.returncode == 143
    assert json.loads(rest.splitlines()[-1])["kind"] == "stopped"
