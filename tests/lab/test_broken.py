"""The broken benchmarks' conclusion follows their samples, and their letters each run's moment."""

import pytest

from kernels.lab import EXPERIMENTS
from kernels.lab.conclusion import Outcome
from kernels.lab.evidence import Incomplete, evidence_of
from kernels.lab.sins import SINS
from tests.lab.evidence import around, concluded, device, result

HONEST = (230.0, 100.0)


def pair(run, separate, fused):
    """The two results of one benchmark, as long as a gigabyte would take at 10 TB/s."""
    facts = {"bytes": 1_000_000_000}
    return [
        result("separate", separate, {"run": run}, **facts),
        result("fused", fused, {"run": run}, **facts),
    ]


def measured(**broken):
    """The honest runs and the given mistakes; the others are as good as honest."""
    found = pair("honest", *HONEST) + pair("small", *HONEST)
    for name in SINS:
        found += pair(name, *broken.get(name, HONEST))
    return found


def test_one_wrong_report_bears_the_claim_out_and_the_others_make_no_difference():
    said = concluded("broken", *measured(no_synchronize=(150.0, 30.0)))
    assert said.outcome is Outcome.HOLDS
    assert "1 of 7 mistakes" in said.sentence
    assert "5.00×, where an honest run measures 2.30×" in said.sentence
    (told,) = [note for note in said.notes if "stops the clock" in note]
    assert "5.00× against 2.30× honestly, 2.17 times it" in told
    assert sum("no difference that matters here" in note for note in said.notes) >= 6


def test_mistakes_that_change_nothing_speak_against_it():
    said = concluded("broken", *measured())
    assert said.outcome is Outcome.FAILS
    assert said.sentence.startswith("None of 7 mistakes")


def test_a_right_speed_up_from_wrong_times_is_told_by_its_rate():
    said = concluded("broken", *measured(no_synchronize=(115.0, 50.0)))
    assert said.outcome is Outcome.FAILS
    (told,) = [note for note in said.notes if "stops the clock" in note]
    assert "2.30× against 2.30× honestly, no difference that matters here" in told
    assert "20,000 GB/s against 10,000 GB/s, 2.00 times it" in told


def test_samples_too_wide_to_tell_decide_nothing():
    wide = [40.0, 250.0] * 15
    said = concluded("broken", *measured(zeros=(wide, wide)))
    assert said.outcome is Outcome.UNDECIDED
    assert any("cannot tell apart for sure" in note for note in said.notes)


def test_the_hot_cache_is_held_against_the_same_size_cold():
    found = [one for one in measured(hot_cache=(60.0, 40.0)) if one["at"]["run"] != "small"]
    same = concluded("broken", *found, *pair("small", 90.0, 60.0))
    assert same.outcome is Outcome.FAILS
    assert any("1.50× against 1.50×" in note for note in same.notes)


def test_the_picture_names_the_twin_of_a_benchmark_that_the_line_is_not_of():
    found = [one for one in measured(hot_cache=(60.0, 40.0)) if one["at"]["run"] != "small"]
    said = concluded("broken", *found, *pair("small", 90.0, 60.0))
    [picture] = said.pictures
    [letter] = [letter for letter, sin in said.answer.matches if sin == "hot_cache"]
    notes = {bar.label[0]: bar.note for bar in picture.bars if bar.note}
    assert notes == {letter: "its honest twin 1.50×"}
    assert picture.caption.endswith(f" {letter} is held against its own twin, not the line.")


def test_one_sample_is_enough_where_a_mistake_can_be_made_only_once():
    said = concluded("broken", *measured(compile_in_window=([900_000.0], [200_000.0])))
    assert said.outcome is Outcome.HOLDS
    (letter,) = [letter for letter, sin in said.answer.matches if sin == "compile_in_window"]
    (row,) = [row for row in said.tables[0].rows if row[0] == letter]
    assert row[1:3] == ("900 ms", "200 ms") and row[-1] == "1"


def test_every_item_is_shown_without_its_mistake_and_has_one():
    said = concluded("broken", *measured(no_synchronize=(150.0, 30.0)))
    assert [letter for letter, _ in said.answer.items] == list("ABCDEFG")
    assert sorted(sin for _, sin in said.answer.matches) == sorted(SINS)
    shown = dict(said.answer.items)
    (letter,) = [letter for letter, sin in said.answer.matches if sin == "no_synchronize"]
    assert shown[letter] == (
        "separate 150.0 µs, one pass 30.0 µs, so 5.00×; one pass would move 33,333 GB/s"
    )


def test_each_run_has_an_order_of_its_own_and_keeps_it():
    def order(at):
        start = device("broken") | {"at": at}
        events = (start, *measured(), {"event": "summary", "method": {}})
        return EXPERIMENTS["broken"].conclude(evidence_of(events)).answer.matches

    moments = [f"2026-01-02T03:04:0{second}+00:00" for second in range(4)]
    assert len({order(at) for at in moments}) > 1
    assert order(moments[0]) == order(moments[0])


def test_the_mistakes_are_the_options():
    question = EXPERIMENTS["broken"].question
    assert question.options is not None and set(question.options) == set(SINS)


def test_a_run_may_hold_a_part_of_the_mistakes():
    some = pair("honest", *HONEST) + pair("tiny_tensor", 6.0, 2.0)
    said = concluded("broken", *some)
    assert said.answer.matches == (("A", "tiny_tensor"),)
    assert "1 of 1" in said.sentence


@pytest.mark.parametrize("missing", ["honest", "small"])
def test_without_an_honest_twin_nothing_is_concluded(missing):
    found = [one for one in measured() if one["at"]["run"] != missing]
    with pytest.raises(Incomplete, match=missing):
        concluded("broken", *found)


def test_without_any_mistake_nothing_is_concluded():
    with pytest.raises(Incomplete, match="any broken"):
        concluded("broken", *pair("honest", around(230.0), around(100.0)))


def test_what_there_is_to_go_by_names_the_machines_limit_and_the_bytes_of_one_pass():
    limit = {"event": "limit", "copy_gb_per_s": 3900.0, "add_gb_per_s": 4067.8}
    said = concluded("broken", limit, *measured())
    assert "1,000 MB" in said.answer.given and "at most 4,068 GB/s" in said.answer.given
    assert "is not known" in concluded("broken", *measured()).answer.given


def test_the_table_goes_by_letters_and_no_two_of_its_columns_share_a_name():
    said = concluded("broken", *measured())
    [table] = said.tables
    assert [row[0] for row in table.rows] == ["Honest", *"ABCDEFG"]
    assert len(set(table.columns)) == len(table.columns)
