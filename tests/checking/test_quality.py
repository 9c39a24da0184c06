"""The quality table on answers that nothing was learned from, held in the gate.

`make check-quality` prints it with the confusion counts.
"""

from functools import lru_cache

import pytest

from app.domain.checking.check import check
from tests.checking.first_card import load
from tests.checking.quality import Measure, measures, unseen
from tests.checking.scoring import judge


@lru_cache(maxsize=1)
def table() -> dict[str, Measure]:
    card = load()
    return {measure.name: measure for measure in measures(judge(unseen(), card, check), card)}


@pytest.mark.parametrize(
    "name",
    [
        "pitfalls committed: precision of 'flagged'",
        "pitfalls committed: recall of 'flagged'",
        "pitfalls committed: recall of 'flagged' or 'possible'",
        "rejecting answers that are flagged",
        "silent answers that are flagged",
        "key points: F1 of the worst id",
        "key points: mean F1",
        "evidence of true flags overlaps the gold words",
    ],
)
def test_every_bar_is_met(name: str):
    assert table()[name].met, str(table()[name])


def test_every_measure_is_held():
    assert len(table()) == 8
