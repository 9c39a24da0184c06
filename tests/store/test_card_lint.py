"""The linter of card files: each fault with the line of the passage that it is in."""

import pytest

from app.domain.card import Topic
from app.domain.checking.check import check
from app.domain.checking.findings import Finding, Kind, State
from app.settings import ROOT
from app.store.card_faults import CardFileError
from app.store.card_file import read_card
from app.store.card_lint import lint_folder
from kernels.lab import EXPERIMENTS

TOPICS = {"gpu-performance": Topic("gpu-performance", "GPU performance", 0)}
NAME = "fused-normalization-chain.md"
SOURCE = (ROOT / "content" / NAME).read_text(encoding="utf-8")


def approving(answer, card):
    """A checker to which all is as it should be, but for passages with the word FALLEN."""
    sees = State.FLAGGED if "FALLEN" in answer else State.NOT_FOUND
    rejected = {pitfall.id for pitfall in card.pitfalls if pitfall.instead == answer}
    points = [Finding(Kind.KEY_POINT, point.id, State.COVERED) for point in card.key_points]
    pitfalls = [
        Finding(Kind.PITFALL, p.id, State.REJECTED if p.id in rejected else State.NOT_FOUND)
        for p in card.pitfalls
    ]
    return (*points, Finding(Kind.PITFALL, "fewer_flops", sees, 0, len(answer)), *pitfalls)


def line_of(words):
    return SOURCE[: SOURCE.index(words)].count("\n") + 1


def linted(folder, source):
    (folder / "topics.yaml").write_text("gpu-performance: GPU performance\n", encoding="utf-8")
    (folder / NAME).write_text(source, encoding="utf-8")
    return [(fault.path.name, fault.line) for fault in lint_folder(folder, approving)]


def test_the_words_of_the_real_cards_pass_the_real_checker():
    assert [str(fault) for fault in lint_folder(ROOT / "content", check)] == []


def test_where_card_and_checker_agree_there_is_no_fault(tmp_path):
    assert linted(tmp_path, SOURCE) == []


@pytest.mark.parametrize(
    ("words", "where"),
    [
        ("# Basics\n\n", "# Basics"),
        ("# Solid\n\n", "# Solid"),
        ("## Staff\n\n", "# Deep"),
        ("{#two-matmuls}\n\n", "## Two big matmuls"),
        ("{#length}\n\n", "## What limits the length"),
    ],
)
def test_a_fault_stands_at_the_line_of_its_passage(tmp_path, words, where):
    assert words in SOURCE
    fallen = SOURCE.replace(words, f"{words}FALLEN. ", 1)
    assert linted(tmp_path, fallen) == [(NAME, line_of(where))]


def test_a_fault_of_a_correction_stands_at_its_own_line(tmp_path):
    old = "    instead: The FLOP count stays what it was;"
    assert old in SOURCE
    fallen = SOURCE.replace(old, "    instead: FALLEN;")
    assert linted(tmp_path, fallen) == [(NAME, line_of(old))]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("concepts:\n", "concepts:\n  broken: ['{nobody}']\n", "no concept {nobody}"),
        ("concepts:\n", "concepts:\n  round: ['{round}']\n", "refers to itself"),
        ("    cues:\n", "    cues:\n      - 'fewer $ flops'\n", "use words"),
        ("    cues:\n", "    cues:\n      - '{nobody} .. {flops}'\n", "no concept {nobody}"),
    ],
)
def test_a_cue_that_can_not_be_read_is_refused_with_its_line(tmp_path, old, new, message):
    assert old in SOURCE
    path = tmp_path / NAME
    path.write_text(SOURCE.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(CardFileError) as caught:
        read_card(path, topics=TOPICS, experiments=EXPERIMENTS)
    (fault,) = caught.value.faults
    assert message in fault.message
    assert fault.line == line_of(old) + 1
