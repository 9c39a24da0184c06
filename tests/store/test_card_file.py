"""Reading card files: what an author writes, and what is refused with file and line."""

from pathlib import Path

import pytest

from app.domain.card import Card, Topic
from app.settings import ROOT
from app.store.card_faults import CardFileError
from app.store.card_file import read_card, read_topics
from kernels.lab import EXPERIMENTS

TOPICS = {"gpu-performance": Topic("gpu-performance", "GPU performance", 0)}
SOURCE = (ROOT / "content" / "fused-normalization-chain.md").read_text(encoding="utf-8")


def read(path: Path, source: str) -> Card:
    path.write_text(source, encoding="utf-8")
    return read_card(path, topics=TOPICS, experiments=EXPERIMENTS)


def faults(tmp_path: Path, old: str, new: str) -> list[str]:
    """The faults of the first card after one change, as `line: message`."""
    assert old in SOURCE, "the test changes what the card no longer says"
    with pytest.raises(CardFileError) as caught:
        read(tmp_path / "card.md", SOURCE.replace(old, new, 1))
    return [f"{fault.line}: {fault.message}" for fault in caught.value.faults]


def line_of(source: str, words: str) -> int:
    return source[: source.index(words)].count("\n") + 1


def test_the_first_card_is_read_whole(card: Card) -> None:
    assert [tier.target_seconds for tier in card.tiers] == [20, 50, 180]
    assert [level.id for level in card.levels] == ["junior", "mid", "senior", "staff"]
    assert len(card.five_lines) == 5
    assert len(card.key_points) == 10
    assert [pitfall.id for pitfall in card.pitfalls] == [
        "fewer_flops", "faster_matmul", "higher_flop_device", "ignores_backward", "whole_step_3x",
    ]  # fmt: skip
    assert [follow_up.id for follow_up in card.follow_ups] == ["two-matmuls", "ceiling", "length"]
    assert card.tier("basics").asks == ("same_arithmetic", "round_trips")
    assert card.tier("solid").asks == tuple(point.id for point in card.key_points)


def test_text_is_plain_and_html_is_rendered(card: Card) -> None:
    assert "one chain: normalization → activation → residual add." in card.prompt.text
    assert "<em>normalization → activation → residual add</em>" in card.prompt.html


def test_the_same_file_gives_the_same_hash_and_another_file_another(tmp_path: Path) -> None:
    first = read(tmp_path / "a.md", SOURCE)
    assert first.content_hash == read(tmp_path / "b.md", SOURCE).content_hash
    edited = read(tmp_path / "c.md", SOURCE.replace("warehouse", "storehouse"))
    assert edited.content_hash != first.content_hash


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


def test_a_title_may_look_like_a_date(tmp_path: Path) -> None:
    source = SOURCE.replace("title: Fusing norm → activation → residual", "title: 2026-13-45")
    assert read(tmp_path / "card.md", source).title == "2026-13-45"


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


def test_a_mark_at_the_files_beginning_and_the_line_ends_of_windows_change_nothing(
    tmp_path: Path,
) -> None:
    plain = read(tmp_path / "card.md", SOURCE)
    path = tmp_path / "windows.md"
    path.write_bytes(b"\xef\xbb\xbf" + SOURCE.replace("\n", "\r\n").encode())
    assert read_card(path, topics=TOPICS, experiments=EXPERIMENTS) == plain


def test_a_nul_character_is_named_with_its_line(tmp_path: Path) -> None:
    assert faults(tmp_path, "# Prompt\n", "# Prompt\n\0")[0].endswith("take out the NUL character")


@pytest.mark.parametrize("broken", ["a: [", "- a", "1: x", "a: {b: c}", "", "a: \0", "a: !!int x"])
def test_a_broken_file_of_topics_is_refused(tmp_path: Path, broken: str) -> None:
    path = tmp_path / "topics.yaml"
    path.write_text(broken)
    with pytest.raises(CardFileError, match=r"topics\.yaml:1: "):
        read_topics(path)


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "[a](javascript:alert(1))",
        "<img src=x onerror=alert(1)>",
        "![a](data:text/html,x)",
    ],
)
def test_markup_that_could_run_never_reaches_the_html(tmp_path: Path, hostile: str) -> None:
    source = SOURCE.replace("# Picture\n", f"# Picture\n\n{hostile}\n", 1)
    html = read(tmp_path / "card.md", source).picture.html
    assert "<script" not in html
    assert "<img" not in html
    assert 'href="javascript' not in html
