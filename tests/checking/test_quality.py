"""The quality table on answers that nothing was learned from, held in the gate.

`make check-quality` prints it with the confusion counts. A bar that is met must stay met; one that
is missed has a floor just under what was reached, so that it doesn't slip
further unseen: a floor is no bar.
"""

from functools import lru_cache

import pytest

from app.domain.checking.check import check
from tests.checking.first_card import load
from tests.checking.quality import Measure, measures, unseen
from tests.checking.scoring import judge

FLOORS = {"rejecting answers that are flagged": 0.018}  # its bar is 0.01


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
        "silent answers that are flagged",
        "key points: F1 of the worst id",
        "key points: mean F1",
        "evidence of true flags overlaps the gold words",
    ],
)
def test_a_bar_that_is_met_stays_met(name: str):
    assert table()[name].met, str(table()[name])


@pytest.mark.parametrize("name", FLOORS)
def test_a_bar_that_is_missed_is_not_missed_by_more(name: str):
    measure = table()[name]
    worst = FLOORS[name]
    good_enough = measure.value <= worst if measure.most else measure.value >= worst
    assert good_enough, f"{measure}, and the floor is {worst}"


def test_every_measure_is_held():
    assert len(table()) == 8
