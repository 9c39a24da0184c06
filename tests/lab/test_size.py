"""The size experiment's conclusion follows its samples, whichever way they point."""

from dataclasses import replace

import pytest

from kernels.lab.conclusion import Outcome
from kernels.lab.evidence import Incomplete
from kernels.lab.gains import Gain, bounds_of, gains_of
from kernels.lab.size_pictures import words
from tests.lab.evidence import around, concluded, evidence, result

RATE = 4000  # GB/s, so 4 GB take 1000 µs; the test device's cache holds 50 MB
LIMIT = {"event": "limit", "copy_gb_per_s": RATE, "add_gb_per_s": RATE}
VOLUMES = (10_000, 1_000_000, 100_000_000, 1_000_000_000, 10_000_000_000)


def swept(launches=(90.0, 30.0), large=7 / 3, graph=None, volumes=VOLUMES):
    """Times as launches or bytes set them, whichever is longer; `large` is the gain of bytes."""
    found = [LIMIT]
    for volume in volumes:
        least = volume / RATE / 1e3
        for suffix, cost in (("", launches), ("_graph", graph)):
            if cost:
                slow, fast = max(cost[0], least * large), max(cost[1], least)
                facts = {"bytes": volume * 7 // 3, "calls": 1}
                found.append(result(f"separate{suffix}", slow, {"volume": volume}, **facts))
                facts["bytes"] = volume
                found.append(result(f"fused{suffix}", fast, {"volume": volume}, **facts))
    return found


def test_bytes_that_are_right_in_memory_alone_bear_the_claim_out():
    said = concluded("size", *swept())
    assert said.outcome is Outcome.HOLDS
    assert said.answer.choice == "1GB"
    assert "2.33× faster" in said.sentence and "from 1 GB on" in said.sentence


def test_a_slow_first_volume_hides_no_launches_that_the_next_ones_show():
    events = swept()
    slow = [
        result("separate", 180.0, {"volume": VOLUMES[0]}, bytes=VOLUMES[0] * 7 // 3, calls=1),
        *(
            e
            for e in events
            if (e.get("variant"), e.get("at")) != ("separate", {"volume": VOLUMES[0]})
        ),
    ]
    usual, disturbed = (bounds_of(evidence("size", *found)) for found in (events, slow))
    assert disturbed.launches.hidden == pytest.approx(usual.launches.hidden, rel=0.01)
    cost = concluded("size", *slow).numbers[0]
    assert cost.inputs == "90.0 µs at 1 MB"


def test_large_tensors_that_gain_less_than_their_bytes_speak_against_it():
    said = concluded("size", *swept(large=1.5))
    assert said.outcome is Outcome.FAILS
    assert said.answer.choice == "never"
    assert "not right" in said.sentence


def test_bytes_that_are_right_at_every_volume_speak_against_it_too():
    said = concluded("size", *swept(launches=(70.0, 30.0)))
    assert said.outcome is Outcome.FAILS
    assert said.answer.choice == "1MB"


def test_a_gain_at_the_edge_of_what_counts_decides_nothing():
    said = concluded("size", *swept(large=7 / 3 * 1.1))
    assert said.outcome is Outcome.UNDECIDED
    assert said.answer.choice is None  # nor is the guess held against anything


def across(volume: int) -> list[dict]:
    """A volume whose gain of 2.1 may be as bytes say or not: half its rounds say so, half not."""
    slow = [2000.0, 2200.0] * 15
    facts = {"bytes": 7 * volume, "calls": 1}
    return [
        result("separate", slow, {"volume": volume}, **facts),
        result("fused", 1000.0, {"volume": volume}, **facts | {"bytes": 3 * volume}),
    ]


def test_a_run_that_cannot_decide_says_between_which_volumes_it_cannot():
    volumes = (10_000, 100_000_000, 10_000_000_000)
    said = concluded("size", *swept(volumes=volumes), *across(1_000_000_000))
    assert said.outcome is Outcome.UNDECIDED
    assert said.sentence.endswith(
        "bytes predict 2.33×. For calls made one by one that is wrong up to 100 MB and right "
        "from 10 GB on; in between this run cannot say."
    )
    assert "2.10× ?" in [row[-1] for row in said.tables[0].rows]


def test_nothing_is_narrowed_where_a_smaller_volume_was_right():
    volumes = (10_000, 10_000_000_000)
    right = swept(launches=(0.7, 0.3), volumes=(100_000_000,))[1:]
    said = concluded("size", *swept(volumes=volumes), *right, *across(1_000_000_000))
    assert said.outcome is Outcome.UNDECIDED
    assert said.sentence.endswith("This run cannot say from which volume on that is right.")


@pytest.mark.parametrize("large", [1.5, 7 / 3])
def test_volumes_that_memory_alone_does_not_time_decide_nothing(large: float):
    said = concluded("size", *swept(large=large, volumes=VOLUMES[:3]))  # 600 MB would be enough
    assert said.outcome is Outcome.UNDECIDED
    assert said.answer.choice is None  # it says nothing of what comes after 100 MB
    assert any("100 MB, is under the 600 MB" in note for note in said.notes)


def test_a_gain_is_known_no_better_than_its_samples_were_rounded():
    slow, fast = [4.19, 4.19, 4.18] * 10, [2.16] * 30
    events = [LIMIT, *(result(*one, {"volume": 10_000}, bytes=7) for one in
                       (("separate", slow), ("fused", fast)))]  # fmt: skip
    (gain,) = gains_of(evidence("size", *events), "separate", "fused")
    assert gain.low < 4.185 / 2.164 < gain.high


def test_the_bounds_come_from_the_device_and_its_launches():
    found = bounds_of(evidence("size", *swept(graph=(6.0, 2.0))))
    assert found.launches.hidden == pytest.approx(90 * 4e6 * 3 / 7, rel=1e-3)  # separate's, later
    assert found.in_graph.hidden == pytest.approx(6 * 4e6 * 3 / 7, rel=1e-3)
    assert found.cache == pytest.approx(50e6 * 3 / 5)
    assert found.memory == pytest.approx(12 * 50e6)


def test_a_processor_that_names_no_cache_is_still_concluded_of():
    said = concluded("size", *swept(), kind="cpu")
    assert "one core of this Test Device" in said.sentence
    unknown = evidence("size", *swept(), kind="cpu")
    assert bounds_of(replace(unknown, device=unknown.device | {"l2_bytes": None})).cache == 0


def test_slow_launches_push_the_memory_bound_region_out():
    found = bounds_of(evidence("size", *swept(launches=(9e3, 1e3))))
    assert found.memory == found.launches.hidden == pytest.approx(9e3 * 4e6 * 3 / 7, rel=1e-3)


def test_regions_follow_each_other_without_a_gap():
    times, gains = concluded("size", *swept(graph=(6.0, 2.0))).pictures
    for picture in (times, gains):
        starts = [region.start for region in picture.regions]
        ends = [region.end for region in picture.regions]
        assert starts[0] is None and ends[-1] is None and starts[1:] == ends[:-1]
    assert [region.label for region in times.regions][:2] == ["launch-bound", "partly cached"]
    assert [region.label for region in gains.regions][1] == "cache-resident"


def test_a_rate_above_the_limit_is_suspect_in_memory_alone():
    fast = swept(volumes=VOLUMES[:2]) + swept(launches=(0.1, 0.05), volumes=(2_000_000_000,))
    fast[-1] = result("fused", around(450.0), {"volume": 2_000_000_000}, bytes=2_000_000_000)
    assert any("111\N{NO-BREAK SPACE}%" in one for one in concluded("size", *fast).suspects)
    assert concluded("size", *swept()).suspects == ()


def test_without_one_pass_nothing_is_concluded():
    with pytest.raises(Incomplete, match="fused"):
        concluded("size", *(one for one in swept() if one.get("variant") != "fused"))


def test_what_a_sample_has_once_is_told_of_calls_that_lie_behind_their_graph():
    def behind(calls: int, volume: int) -> list[dict]:
        took = {"fused": 1000.0 + 240 / calls, "fused_graph": 1000.0, "separate": 2333.0}
        took["separate_graph"] = took["separate"]
        moved = {"volume": volume}, {"bytes": volume, "calls": calls}
        return [result(name, us, moved[0], **moved[1]) for name, us in took.items()]

    said = concluded(
        "size", *swept(graph=(6, 2)), *behind(6, 3_000_000_000), *behind(2, 20_000_000_000)
    )
    [told] = [note for note in said.notes if "in a graph" in note]
    assert "4.0\N{NO-BREAK SPACE}% at 3 GB, 240 µs in a sample of 6 calls" in told
    assert "12.0\N{NO-BREAK SPACE}% at 20 GB, 240 µs in a sample of 2 calls" in told


def test_calls_that_keep_up_with_their_graph_need_no_word_on_it():
    assert not any("in a graph" in note for note in concluded("size", *swept(graph=(6, 2))).notes)


def test_an_interval_across_the_edge_is_neither_near_nor_far():
    assert Gain(1, 2.3, 2.29, 2.31, 7 / 3).near is True
    assert Gain(1, 1.5, 1.49, 1.51, 7 / 3).near is False
    assert Gain(1, 2.1, 2.0, 2.3, 7 / 3).near is None


@pytest.mark.parametrize(
    ("volume", "said"),
    [(12_288, "12 kB"), (1_500_000, "1.5 MB"), (999_600, "1 MB"), (1e10, "10 GB"), (1e9, "1 GB")],
)
def test_volumes_are_said_in_two_or_three_digits(volume, said):
    assert words(volume) == said
