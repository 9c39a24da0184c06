"""The labelled answers go through the checker; none of those measured on was trained on."""

from collections import Counter

from app.domain.checking.check import check
from tests.checking.first_card import load
from tests.checking.markup import load as marked
from tests.checking.markup import parse
from tests.checking.quality import Measure, development, measures, unseen
from tests.checking.scoring import (
    DEV,
    HERE,
    judge,
    key_point_counts,
    labelled,
    pitfall_counts,
    precision,
    recall,
    written,
)

CARD = load()


def test_the_labelled_sample_is_checked_with_good_precision_and_recall():
    judged = judge(labelled(DEV), CARD, check)
    points = {p.id: key_point_counts(judged, p.id) for p in CARD.key_points}
    pitfalls = {p.id: pitfall_counts(judged, p.id) for p in CARD.pitfalls}
    figures = {i: (precision(c, True), recall(c, True)) for i, c in points.items()}
    figures |= {i: (precision(c, "commits"), recall(c, "commits")) for i, c in pitfalls.items()}
    for ref, (exact, found) in figures.items():
        print(f"{ref:22s} precision {exact:.2f}  recall {found:.2f}")
    for measure in measures(judged, CARD):
        print(measure)
    assert len(judged) == 65
    assert min(exact for exact, _ in figures.values()) >= 0.75
    assert min(found for _, found in figures.values()) >= 0.6


def test_no_measured_answer_is_among_those_that_are_learned_from():
    seen = {line["text"] for line in written(seen=True)}
    for path in (HERE / "answers").glob("seen*.txt"):
        seen |= {answer.text for answer in marked(path)}
    tuned_by = {answer["text"] for answer in [*labelled(DEV), *development()]}
    untouched = {answer["text"] for answer in unseen()}
    assert seen
    assert untouched
    assert not seen & (tuned_by | untouched)
    assert not tuned_by & untouched


def test_every_labelled_answer_has_its_evidence_verbatim():
    for answer in [*labelled(DEV), *unseen(), *development(), *written(seen=True)]:
        for ref, words in answer["evidence"].items():
            assert answer["pitfalls"][ref] == "commits"
            assert words in answer["text"]


def test_marks_become_labels_and_leave_the_text():
    (answer,) = parse("@x-1 terse\n[[F- Same sums]], [[rt,ra six trips to two]]. [[B+ bwd free]]")
    record = answer.record()
    assert record["text"] == "Same sums, six trips to two. bwd free"
    assert record["pitfalls"]["fewer_flops"] == "rejects"
    assert record["key_points"]["same_arithmetic"]
    assert record["key_points"]["traffic_ratio"]
    assert record["evidence"] == {"ignores_backward": "bwd free"}


def test_a_bar_is_met_from_its_side():
    assert Measure("recall", 0.8, 0.8).met
    assert not Measure("recall", 0.79, 0.8).met
    assert Measure("false flags", 0.01, 0.01, most=True).met
    assert not Measure("false flags", 0.02, 0.01, most=True).met


def test_precision_and_recall_are_counted_by_hand_the_same():
    counts = {("commits", "commits"): 3, ("commits", "silent"): 1, ("rejects", "commits"): 1}
    assert precision(_counter(counts), "commits") == 0.75
    assert recall(_counter(counts), "commits") == 0.75


def _counter(counts: dict) -> Counter:

    return Counter(counts)
