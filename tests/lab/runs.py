"""Whole runs of experiments, one for each kind of question, as their programs would print them."""

from collections.abc import Sequence
from typing import Any

from kernels.lab import EXPERIMENTS
from tests.lab import test_broken, test_share, test_size, test_width
from tests.lab.evidence import device
from tests.runs.benches import CHECK, LIMIT

SUMMARY = {
    "event": "summary",
    "method": {"statistic": "median", "seed": 7},
    "notes": ["A note of this run."],
    "suspect": [],
    "state": {"before": {"sm_mhz": 1980}, "after": None},
}
MEASURED = {
    "width": test_width.swept(180.0),  # a factor
    "share": test_share.measured(810.0),  # per cent
    "size": test_size.swept(),  # a choice
    "broken": test_broken.measured(no_synchronize=(150.0, 30.0)),  # a match
}


def events_of(
    name: str, measured: Sequence[dict[str, Any]] | None = None, **chosen: str
) -> list[dict[str, Any]]:
    """Every line that a run of this experiment prints."""
    asked = EXPERIMENTS[name].asked("cuda", chosen).parameters
    progress = {"event": "progress", "done": 0, "of": 1, "doing": "loading PyTorch"}
    said = measured if measured is not None else MEASURED[name]
    return [progress, device(name, **asked), CHECK, LIMIT, *said, SUMMARY]
