"""The width experiment's conclusion follows its samples, whichever way they point."""

import pytest

from kernels.lab.conclusion import Outcome
from kernels.lab.evidence import Incomplete
from tests.lab.evidence import concluded, result


def swept(last_us: float):
    """A row that fits, and the longest one, in pieces, at this time."""
    return (
        result("fused", 100.0, {"features": 1024}, bytes=400_000, strategy="whole"),
        result("fused", 110.0, {"features": 4096}, bytes=400_000, strategy="whole"),
        result("fused", last_us, {"features": 65_536}, bytes=400_000, strategy="looped"),
    )


def test_a_slower_longest_row_bears_the_claim_out():
    said = concluded("width", *swept(180.0))
    assert said.outcome is Outcome.HOLDS
    assert said.answer.measured == pytest.approx(1.8, rel=1e-3)
    assert "1.80×" in said.sentence and "4,096" in said.sentence
    assert "as rows of 1,024, the best that fit in one program" in said.sentence
    assert said.numbers[0].name == "Cost a byte, 65,536 features against 1,024, the best that fits"


def test_rows_that_a_team_shares_are_told_and_drawn_apart():
    shared = result("fused", 105.0, {"features": 16_384}, bytes=400_000, strategy="team")
    *short, last = swept(180.0)
    said = concluded("width", *short, shared, last)
    assert said.sentence.startswith("Rows of 65,536 features, each read twice, cost 1.80×")
    assert said.sentence.endswith("; the longest measured that fits has 4,096.")
    assert [(series.name, series.role) for series in said.pictures[0].series] == [
        ("whole row in one program", "one"),
        ("row shared by a team of programs", "one"),
        ("row read twice, in pieces", "other"),
    ]
    rows = said.tables[0].rows
    assert [row[1] for row in rows] == ["one program", "one program", "a team", "read twice"]


def test_a_row_past_the_one_asked_about_is_told_beside_it_and_does_not_answer_the_guess():
    *short, asked = swept(120.0)
    further = result("fused", 150.0, {"features": 262_144}, bytes=400_000, strategy="looped")
    said = concluded("width", *short, asked | {"strategy": "team"}, further)
    assert said.answer.measured == pytest.approx(1.2, rel=1e-3)
    assert said.sentence.startswith("Rows of 65,536 features, each shared by a team of programs,")
    assert said.sentence.endswith(" Rows of 262,144, each read twice, cost 1.50×.")
    assert said.evidence == (
        "a row of 65,536 features, shared by a team of programs, costs 1.20× as much a byte as the "
        "best that fits; one of 262,144, read twice, 1.50×"
    )
    assert [number.shown for number in said.numbers] == ["1.20×", "1.50×"]
    assert "262,144 features" in said.numbers[1].name


def test_a_longer_row_alone_does_not_bear_the_claim_out():
    further = result("fused", 150.0, {"features": 262_144}, bytes=400_000, strategy="looped")
    said = concluded("width", *swept(80.0), further)
    assert said.outcome is Outcome.FAILS
    assert "no more a byte" in said.sentence and said.sentence.endswith("twice, cost 1.50×.")


def test_without_a_row_as_short_as_the_one_asked_about_the_shortest_answers():
    cases = [
        result("fused", time, {"features": features}, bytes=400_000, strategy=how)
        for time, features, how in ((100.0, 70_000, "whole"), (130.0, 90_000, "looped"))
    ]
    said = concluded("width", *cases)
    assert said.outcome is Outcome.UNDECIDED
    assert [number.shown for number in said.numbers] == ["1.00×", "1.30×"]


def test_only_what_was_done_with_a_row_is_explained():
    *short, last = swept(180.0)
    assert not any("team" in note for note in concluded("width", *short, last).notes)
    shared = last | {"strategy": "team"}
    said = concluded("width", *short, shared)
    assert "features, each shared by a team of programs, cost" in said.sentence
    team, once = said.notes
    assert team.startswith("In a team") and once == "No row here was too long to be read once."
    assert not any("twice" in note for note in (team, once))
    [twice] = concluded("width", *short, last).notes
    assert "read twice" in twice


def test_a_longest_row_that_costs_less_speaks_against_it():
    assert concluded("width", *swept(80.0)).outcome is Outcome.FAILS


def test_the_same_cost_decides_nothing():
    assert concluded("width", *swept(100.0)).outcome is Outcome.UNDECIDED


def test_a_rate_above_the_limit_is_suspect():
    *short, last = swept(180.0)
    (doubt,) = concluded("width", *short, last | {"share_of_limit": 1.1}).suspects
    assert doubt.startswith("fused at 65536 reads as 110")
    assert not concluded("width", *short, last).suspects


def test_registers_that_could_not_be_read_stand_as_a_dash():
    unread, read, _ = swept(180.0)
    unread, read = unread | {"registers": None}, read | {"registers": 255, "spills": 1024}
    table, *_ = concluded("width", unread, read).tables
    assert [row[-2:] for row in table.rows] == [("–", "–"), ("255", "1,024")]


def test_without_a_row_that_fits_nothing_is_concluded():
    with pytest.raises(Incomplete, match="fits"):
        concluded("width", swept(100.0)[-1])


def test_the_limit_is_told_beside_its_line():
    limit = {"event": "limit", "copy_gb_per_s": 3900.0, "add_gb_per_s": 4067.8}
    [mark] = concluded("width", limit, *swept(180.0)).pictures[0].marks
    assert mark.label == "limit 4,068 GB/s"
