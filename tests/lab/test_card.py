"""The figures that the card quotes with 'about' are those of the recorded runs, to a tenth."""

import json
import re

import pytest

from tests.lab.recorded import RECORDED, RECORDINGS, concluded

SOURCE = RECORDINGS.parent / "fused-normalization-chain.md"
CARD = " ".join(SOURCE.read_text("utf-8").split())
CHAIN = "whisper-large-bf16-forward"


def number(recording: str, name: str) -> float:
    """The one of the numbers worked out of a recording whose name begins so."""
    [found] = [one for one in concluded(recording).numbers if one.name.startswith(name)]
    return found.value


def time(variant: str) -> float:
    """A variant's median in the recorded chain of Whisper large's shape, in µs."""
    [row] = [row for row in concluded(CHAIN).tables[0].rows if row[0].startswith(variant)]
    return float(row[1])


def tuned() -> float:
    """The faster of torch.compile's modes at that shape in the table of limits, in µs."""
    lines = (RECORDINGS / "nvidia-h200" / "limits.txt").read_text("utf-8").splitlines()
    row = next(line.split() for line in lines if line.startswith("48000×1280 bf16 forward"))
    ours_us, faster_than_compiled = float(row[3]), float(row[8])
    return ours_us * faster_than_compiled


def error(variant: str) -> float:
    """How far a variant's y was from the exact one in the recorded chain."""
    events = map(json.loads, RECORDED[CHAIN].read_text("utf-8").splitlines())
    checks = (event for event in events if event["event"] == "check")
    return next(one["error"] for one in checks if one["variant"] == variant)


QUOTED = {
    r"the fused chain does about ([\d.]+);": lambda: number("roofline", "Fused chain"),
    r"which an H200 has at about (\d+)\.": lambda: number("roofline", "Ridge of float32"),
    r"units, at about (\d+), is for": lambda: number("roofline", "Ridge of the matrix units"),
    r"QKᵀ does about (\d+) FLOPs": lambda: number("roofline", "QKᵀ, written out"),
    r"the chain is about (\d+) % of a step modelled on QuartzNet": lambda: number(
        "share-quartznet", "The chain's share"
    ),
    r"on QuartzNet, which gets about (\d+) % shorter": lambda: number(
        "share-quartznet", "The step's gain, measured"
    ),
    r"on Conformer, which gets about (\d+) % shorter": lambda: number(
        "share-conformer", "The step's gain, measured"
    ),
    r"1280 takes about ([\d.]+) times": lambda: number("matmuls", "One kernel against two, meas"),
    r"it does (three) times the FLOPs": lambda: number("matmuls", "Arithmetic of the one kernel"),
    r"costs about ([\d.]+) times as much in rows of 65,536": lambda: number(
        "width", "Cost a byte, 65,536"
    ),
    r"about ([\d.]+) times in rows of 262,144": lambda: number("width", "Cost a byte, 262,144"),
    r"a relative error of about ([\d.]+) against": lambda: error("fused"),
    r"against ([\d.]+) in our recorded runs": lambda: error("separate"),
    r"operators about (\d+) µs": lambda: time("PyTorch, eager"),
    r"about (\d+) µs in its default mode": lambda: time("torch.compile"),
    r"about (\d+) µs in its max-autotune mode": tuned,
    r"one pass about (\d+) µs": lambda: time("One pass"),
}


@pytest.mark.parametrize("words", QUOTED)
def test_a_figure_that_the_card_quotes_is_that_of_the_recorded_run(words):
    [said] = re.findall(words, CARD)
    quoted = {"three": 3.0}.get(said) or float(said)
    assert QUOTED[words]() == pytest.approx(quoted, rel=0.1)
