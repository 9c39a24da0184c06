"""The host's time of a call is taken in one way, while the GPU is busy."""

import pytest

from tests.kernels.needs import torch  # isort: skip
from kernels.bench import one_call, small


@pytest.fixture
def seen(monkeypatch) -> list[str]:
    """What was asked of the GPU, in order."""
    asked: list[str] = []
    monkeypatch.setattr(torch.cuda, "synchronize", lambda: asked.append("wait"))
    monkeypatch.setattr(torch.cuda, "_sleep", lambda _cycles: asked.append("spin"))
    return asked


def test_the_gpu_spins_while_the_host_issues_the_calls_and_none_waits_for_it(seen):
    assert one_call.host_us(lambda: seen.append("call")) >= 0
    assert seen == ["call", "wait", "spin", *["call"] * one_call.HOST_CALLS, "wait"]


def test_small_sizes_take_the_hosts_time_in_the_same_way(seen):
    assert small.host({"fused": lambda: seen.append("call")}).keys() == {"fused"}
    assert seen.count("spin") == small.REPEATS + 1
    assert seen.count("call") == seen.count("spin") * (one_call.HOST_CALLS + 1)
