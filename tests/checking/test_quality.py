"""The quality table on answers that nothing was learned from, held in the gate.

`make check-quality` prints it with the confusion counts.
"""

from functools import lru_cache

import pytest

from app.domain.checking.check import check
from tests.checking.first_card import load
from tests.checking.quality import Measure, development, measures, unseen
from tests.checking.scoring import judge

SETS = {"unseen": unseen, "development": development}


@lru_cache(maxsize=2)
def table(name: str) -> dict[str, Measure]:
    card = load()
    return {m.name: m for m in measures(judge(SETS[name](), card, check), card)}


@pytest.mark.parametrize("answers", SETS)
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
def test_every_bar_is_met(name: str, answers: str):
    assert table(answers)[name].met, str(table(answers)[name])


def test_every_measure_is_held():
    assert len(table("unseen")) == 8
