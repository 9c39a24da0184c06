"""What is refused in a card file, each fault with its line."""

from pathlib import Path

import pytest

from app.store.card_faults import CardFileError
from app.store.card_file import read_card, read_topics
from tests.store.written_card import SOURCE, read


def faults(tmp_path: Path, old: str, new: str) -> list[str]:
    """The faults of the first card after one change, as `line: message`."""
    assert old in SOURCE, "the test changes what the card no longer says"
    with pytest.raises(CardFileError) as caught:
        read(tmp_path / "card.md", SOURCE.replace(old, new, 1))
    return [f"{fault.line}: {fault.message}" for fault in caught.value.faults]


def line_of(source: str, words: str) -> int:
    return source[: source.index(words)].count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "where", "message"),
    [
        ("topic: gpu-performance", "topic: gpus", "topic:", "topic 'gpus' is none of"),
        (
            "id: traffic_ratio",
            "id: round_trips",
            "id: traffic_ratio",
            "'round_trips' is given twice",
        ),
        ("experiment: chain", "experiment: chian", "experiment:", "experiment 'chian' is none of"),
        (
            "asks: [same_arithmetic, ",
            "asks: [arithmetic, ",
            "basics: {",
            "no key point 'arithmetic'",
        ),
        ("## Mid", "## Middle", "# Deep", "needs these ## parts, in this order"),
        (" {#length}", "", "## What limits the length", "needs an id of its own"),
        ("{#length}", "{#ceiling}", "## What limits the length", "id 'ceiling' is given twice"),
        ("# Picture", "# Image", "# Picture", "'# Image' is none of"),
        ("# Follow-ups\n", "# Follow-ups\n\nStray.\n", "# Follow-ups", "has text before its first"),
        (
            "explained_in: follow-up-two-matmuls",
            "explained_in: follow-up-three-matmuls",
            "explained_in: follow-up-two-matmuls",
            "'follow-up-three-matmuls' is no rung; there are basics, solid, level-junior",
        ),
        (
            'subject: ["{about_flops}"]',
            'subject: ["{about_flop}"]',
            'subject: ["{about_flops}"]',
            "no concept {about_flop}",
        ),
        ("explained_in: solid", "explained_in: deep", "explained_in: solid", "'deep' is no rung"),
        (
            "made_in: [solid, level-mid, counts]",
            "made_in: [solid, level-mid, sums]",
            "made_in: [solid, level-mid, counts]",
            "'sums' is neither a rung nor a section; there are basics, solid, level-junior",
        ),
        ("seconds: 50", "seconds: soon", "  solid: {", "tiers.solid.seconds: Input should be"),
        ("[same_arithmetic, round_trips]", "[]", "  basics: {", "should have at least 1 item"),
        (
            "[same_arithmetic, round_trips]",
            "[round_trips, round_trips]",
            "  basics: {",
            "key point 'round_trips' is given twice",
        ),
        ("topic: gpu", "title: Another\ntopic: gpu", "topic: gpu", "key 'title' is given twice"),
        ("title: Fusing", "title: Fu\1sing", "title: Fusing", "special characters are not allowed"),
    ],
)
def test_a_fault_is_said_with_its_line(
    tmp_path: Path, old: str, new: str, where: str, message: str
) -> None:
    found = faults(tmp_path, old, new)
    expected = line_of(SOURCE, where)
    assert any(f.startswith(f"{expected}: ") and message in f for f in found), found


def test_signs_given_twice_under_one_id_are_refused(tmp_path: Path) -> None:
    checking = SOURCE[SOURCE.index("# Checking") :]
    block = checking[checking.index("  fewer_flops:") :]
    found = faults(tmp_path, block, f"  fewer_flops: {{}}\n{block}")
    assert found == [f"{line_of(SOURCE, block) + 1}: key 'fewer_flops' is given twice"]


def test_an_empty_tier_is_refused(tmp_path: Path) -> None:
    start, end = SOURCE.index("# Basics") + len("# Basics\n"), SOURCE.index("# Solid")
    found = faults(tmp_path, SOURCE[start:end], "\n")
    assert found == [f"{line_of(SOURCE, '# Basics')}: '# Basics' is empty"]


def test_a_pitfall_without_its_correction_is_refused(tmp_path: Path) -> None:
    line = next(row for row in SOURCE.splitlines(keepends=True) if "instead:" in row)
    assert any("pitfalls.0.instead: Field required" in f for f in faults(tmp_path, line, ""))


def test_all_faults_of_a_file_are_found_in_one_reading(tmp_path: Path) -> None:
    source = SOURCE.replace("topic: gpu-performance", "topic: gpus").replace("## Mid", "## Middle")
    with pytest.raises(CardFileError) as caught:
        read(tmp_path / "card.md", source)
    assert len(caught.value.faults) == 2


@pytest.mark.parametrize("source", ["", "# Prompt\n", "---\nslug: x\n", "---\n: [\n---\n"])
def test_a_file_that_is_no_card_is_refused_and_names_itself(tmp_path: Path, source: str) -> None:
    with pytest.raises(CardFileError, match=r"card\.md:\d+: "):
        read(tmp_path / "card.md", source)


def test_a_file_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "card.md"
    path.write_bytes(b"---\nslug: \xff\n---\n")
    with pytest.raises(CardFileError, match="save the file as UTF-8"):
        read_card(path, topics={}, experiments=[])


def test_a_nul_character_is_named_with_its_line(tmp_path: Path) -> None:
    assert faults(tmp_path, "# Prompt\n", "# Prompt\n\0")[0].endswith("take out the NUL character")


@pytest.mark.parametrize("broken", ["a: [", "- a", "1: x", "a: {b: c}", "", "a: \0", "a: !!int x"])
def test_a_broken_file_of_topics_is_refused(tmp_path: Path, broken: str) -> None:
    path = tmp_path / "topics.yaml"
    path.write_text(broken)
    with pytest.raises(CardFileError, match=r"topics\.yaml:1: "):
        read_topics(path)
