"""The sample of labelled answers goes through the checker, with its figures printed."""

from app.domain.checking.check import check
from tests.checking.first_card import load
from tests.checking.scoring import (
    DEV,
    judge,
    key_point_counts,
    labelled,
    pitfall_counts,
    precision,
    recall,
)

CARD = load()


def test_the_labelled_sample_is_checked_with_sane_precision_and_recall():
    judged = judge(labelled(DEV), CARD, check)
    points = {p.id: key_point_counts(judged, p.id) for p in CARD.key_points}
    pitfalls = {p.id: pitfall_counts(judged, p.id) for p in CARD.pitfalls}
    figures = {i: (precision(c, True), recall(c, True)) for i, c in points.items()}
    figures |= {i: (precision(c, "commits"), recall(c, "commits")) for i, c in pitfalls.items()}
    for ref, (exact, found) in figures.items():
        print(f"{ref:22s} precision {exact:.2f}  recall {found:.2f}")
    assert len(judged) == 65
    assert min(exact for exact, _ in figures.values()) >= 0.6
    assert min(found for _, found in figures.values()) >= 0.4
