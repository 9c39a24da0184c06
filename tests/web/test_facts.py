"""How the facts of a measurement are told."""

import pytest

from app.web.facts import begun, columns_of_words, fact, label, rate, unparted


@pytest.mark.parametrize(
    ("name", "told"),
    [("sm_mhz", "SM clock, MHz"), ("celsius", "Temperature, °C"), ("driver", "Driver")],
)
def test_a_fact_has_the_name_that_a_person_gives_it(name, told):
    assert label(name) == told


def test_a_count_has_its_thousands_apart_and_a_seed_does_not():
    assert fact(62914560, "l2_bytes") == "62,914,560"
    assert fact(20260, "seed") == 20260
    assert fact("median, with p10 and p90", "statistic") == "median, with p10 and p90"


def test_a_name_that_an_older_version_marked_in_backticks_is_told_without_them():
    assert fact("a graph of `calls` calls", "timer") == "a graph of calls calls"


def test_what_was_not_found_is_a_dash_and_nought_is_not():
    assert fact(None, "commit") == "–"
    assert fact(0, "processes") == "0"


@pytest.mark.parametrize(
    ("reasons", "told"),
    [(0, "nothing held them back"), (1, "the GPU was idle"), (0x24, "power limit, heat")],
)
def test_what_set_the_clocks_is_told_in_words(reasons: int, told: str):
    assert fact(reasons, "throttle_reasons") == told
    assert fact("P0", "throttle_reasons") == "P0"


def test_a_whole_number_has_no_decimals():
    assert fact(1_979_300_000.0, "clock_hz") == "1,979,300,000"
    assert fact(0.5, "warm_up_seconds") == "0.5"


def test_a_slow_rate_keeps_a_decimal():
    assert rate(4036.4) == "4,036"
    assert rate(8.64) == "8.6"


def test_a_phrase_that_begins_a_sentence_keeps_its_other_capitals():
    assert begun("loading PyTorch") == "Loading PyTorch"
    assert begun("") == ""


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("1 − 18 µs ÷ 35 µs", "1 − 18~µs ÷ 35~µs"),
        ("(1,614 − 754) MB at 4,047 GB/s", "(1,614 − 754)~MB at 4,047~GB/s"),
        ("3 B of 12 bytes, 5 samples", "3~B of 12 bytes, 5 samples"),
        ("at 16 → 64 → 16, norm → add", "at 16~→~64~→~16, norm → add"),
        ("33.44 × 10¹² FLOP/s, 2.2 FLOPs a byte", "33.44 × 10¹²~FLOP/s, 2.2~FLOPs a byte"),
    ],
)
def test_a_number_is_not_parted_from_its_unit(text: str, kept: str):
    assert unparted(text) == kept.replace("~", "\N{NO-BREAK SPACE}")


def test_a_column_of_words_is_told_from_one_of_numbers():
    rows = [
        ("norm", "memory", "64.2", "–", "× 1.70"),
        ("fused", "float32 arithmetic", "–", "−3 %", "2.4×"),
    ]
    assert columns_of_words(rows) == [True, True, False, False, False]
    assert columns_of_words([]) == []
