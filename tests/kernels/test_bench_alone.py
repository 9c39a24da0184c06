"""QuACK's norms alone beside our chain: its bytes, its absence, its failures, its results."""

import sys
from dataclasses import replace
from types import ModuleType, SimpleNamespace

import pytest

from tests.kernels.needs import torch  # isort: skip
import torch.nn.functional as F

from kernels.bench import alone, alone_race, race, variants
from kernels.bench.alone import NORMS, Alone, Norm
from kernels.bench.emit import Failure
from kernels.bench.protocol import Request

SHAPE = Request(48_000, 1280, direction="both")
SMALL = Request(37, 48)
IDS = [f"{norm.name} {norm.direction}" for norm in NORMS]


def _layer(x, weight, bias):
    return F.layer_norm(x.float(), x.shape[1:], weight.float(), bias, alone_race.EPS).to(x.dtype)


def _rms(x, weight):
    return F.rms_norm(x.float(), x.shape[1:], weight.float(), alone_race.EPS).to(x.dtype)


def _back(norm, dy, *given):
    leaves = [one.detach().clone().requires_grad_() for one in given]
    return torch.autograd.grad(norm(*leaves), leaves, dy)


@pytest.fixture
def quack(monkeypatch) -> ModuleType:
    """QuACK's functions as they are called, done by PyTorch."""
    rmsnorm = ModuleType("quack.rmsnorm")
    rmsnorm.layernorm_fwd = lambda x, weight, bias, eps, *_: (_layer(x, weight, bias), None, None)
    rmsnorm.layernorm_bwd = lambda x, weight, dy, rstd, mean: _back(
        _layer, dy, x, weight, torch.zeros_like(weight)
    )
    rmsnorm.rmsnorm_fwd = lambda x, weight, residual, eps, store_rstd: (
        _rms(x + residual, weight), x + residual, None,
    )  # fmt: skip
    rmsnorm.rmsnorm_bwd = lambda x, weight, dy, rstd: (*_back(_rms, dy, x, weight), None, None)
    monkeypatch.setitem(sys.modules, "quack", ModuleType("quack"))
    monkeypatch.setitem(sys.modules, "quack.rmsnorm", rmsnorm)
    return rmsnorm


def checked(norm: Norm, dtype: str) -> dict[str, bool]:
    """{result: whether it is right} of QuACK's norm on a CPU."""
    inputs = variants.draw(replace(SMALL, dtype=dtype), 0, "cpu")
    found = alone_race.call(norm, inputs)()
    return {c["quantity"]: c["passed"] for c in alone_race.checks(norm, dtype, inputs, found)}


@pytest.mark.parametrize("norm", NORMS, ids=IDS)
def test_every_result_of_a_norm_is_checked_against_float64(quack, norm):
    assert checked(norm, "fp32") == dict.fromkeys(norm.results, True)


@pytest.mark.parametrize("norm", NORMS, ids=IDS)
def test_a_wrong_result_of_quack_loses_its_time_alone(quack, norm, monkeypatch):
    right = alone_race.call
    wrong = lambda *given: lambda: [one * 1.1 for one in right(*given)()]  # noqa: E731
    monkeypatch.setattr(alone_race, "call", wrong)
    inputs = variants.draw(SMALL, 0, "cpu")
    us = {"add": 3.0, "fused": 4.0, "quack": 5.0}
    found = alone_race.call(norm, inputs)()
    race.keep_right(alone_race.checks(norm, "bf16", inputs, found), us)
    assert us.keys() == {"add", "fused"}


def test_a_norm_has_the_share_of_its_own_bytes_and_the_chain_of_its_three():
    us = {"add": 90.0, "fused": 100.0, "quack": 60.0}
    shares = [Alone(norm, SHAPE, us).share("quack") for norm in NORMS]
    assert shares == pytest.approx([1.0, 1.5, 2.0, 1.5])  # 2B, 3B, 4B and 3B
    assert {Alone(norm, SHAPE, us).share("fused") for norm in NORMS} == {0.9}


def test_a_line_says_both_times_and_shares_under_its_heading():
    said = alone.line(Alone(NORMS[0], SHAPE, {"add": 90.0, "fused": 95.0, "quack": 64.0}))
    assert len(said) == len(alone.HEAD)
    for figure in ("2B     64.0   0.938", "3B     95.0   0.947"):
        assert figure in said
    lost = alone.line(Alone(NORMS[0], SHAPE, {"add": 90.0, "fused": 95.0}))
    assert len(lost) == len(alone.HEAD)
    assert "not measured     3B     95.0" in lost


def test_where_quack_is_missing_one_line_says_how_to_get_it(monkeypatch, capsys):
    monkeypatch.setattr(alone, "find_spec", lambda name: None)
    assert alone.workers() == []
    alone.section([])
    (said,) = capsys.readouterr().out.splitlines()
    assert "pip install quack-kernels" in said


def test_a_shape_whose_process_ends_does_not_cost_the_section_the_others(monkeypatch, capsys):
    def ended(asked):
        raise Failure("failed", "The process said nothing more.")

    def measured(asked):
        return [Alone(*case, {"add": 1.0, "fused": 1.0, "quack": 1.0}) for case in asked]

    monkeypatch.setattr(alone, "find_spec", lambda name: name)
    alone.section([SimpleNamespace(shape=SHAPE, measure=one) for one in (ended, measured)])
    said = capsys.readouterr().out
    assert "nothing more" in said
    assert said.count("48000×1280") == 2 * len(NORMS)


def test_a_norm_that_fails_costs_its_own_cells_and_a_line_in_the_log(monkeypatch, caplog):
    """Compiling one, measuring another."""
    monkeypatch.setenv("QUACK_CACHE_ENABLED", "1")  # which the process turns off for itself
    cases = alone.cases(SMALL)[: len(NORMS)]

    def prepare(norm, request):
        if norm is NORMS[0]:
            raise RuntimeError("no such instruction\nand much more")
        return True

    def measure(norm, request, l2_bytes, quack=True):
        if quack and norm is NORMS[2]:
            raise ImportError("cutlass")
        return Alone(norm, request, {"add": 1.0, "fused": 1.0} | ({"quack": 1.0} if quack else {}))

    monkeypatch.setattr(alone_race, "prepare", prepare)
    monkeypatch.setattr(alone_race, "measure", measure)
    monkeypatch.setattr(alone_race.machine, "gpu", lambda torch: {"l2_bytes": 1})
    sent = []
    alone_race.work(SimpleNamespace(send=sent.append, recv=lambda: cases), SMALL, cases)
    assert ["quack" in found.us for found in sent[1:]] == [False, True, False, True]
    assert all("fused" in found.us for found in sent[1:])
    assert [record.getMessage() for record in caplog.records] == [
        "QuACK's LayerNorm, 37×48 bf16 forward: RuntimeError: no such instruction",
        "QuACK's RMSNorm(x + residual), 37×48 bf16 forward rms: ImportError: cutlass",
    ]
