"""Reading card files: what becomes of what an author writes."""

from pathlib import Path

import pytest

from app.domain.card import Card
from app.store.card_file import read_card
from kernels.lab import EXPERIMENTS
from tests.store.written_card import SOURCE, TOPICS, read


def test_the_first_card_is_read_whole(card: Card) -> None:
    assert [tier.target_seconds for tier in card.tiers] == [20, 50, 180]
    assert [level.id for level in card.levels] == ["junior", "mid", "senior", "staff"]
    assert len(card.five_lines) == 5
    assert len(card.key_points) == 10
    assert [pitfall.id for pitfall in card.pitfalls] == [
        "fewer_flops", "faster_matmul", "higher_flop_device", "ignores_backward", "whole_step_3x",
    ]  # fmt: skip
    assert [follow_up.id for follow_up in card.follow_ups] == [
        "two-matmuls",
        "attention",
        "ceiling",
        "length",
    ]
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


def test_a_title_may_look_like_a_date(tmp_path: Path) -> None:
    source = SOURCE.replace("title: Fusing norm → activation → residual", "title: 2026-13-45")
    assert read(tmp_path / "card.md", source).title == "2026-13-45"


def test_a_mark_at_the_files_beginning_and_the_line_ends_of_windows_change_nothing(
    tmp_path: Path,
) -> None:
    plain = read(tmp_path / "card.md", SOURCE)
    path = tmp_path / "windows.md"
    path.write_bytes(b"\xef\xbb\xbf" + SOURCE.replace("\n", "\r\n").encode())
    assert read_card(path, topics=TOPICS, experiments=EXPERIMENTS) == plain


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
