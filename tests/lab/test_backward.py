"""The backward experiment's conclusion follows its samples, whichever way they point."""

import pytest

from kernels.lab.conclusion import Outcome
from kernels.lab.evidence import Incomplete
from tests.lab.evidence import concluded, result

BYTES = {"neither": 13_000_000, "forward": 11_000_000, "backward": 10_000_000, "both": 6_000_000}


def timed(neither=130.0, forward=110.0, backward=100.0, both=60.0):
    """Results at these times; as bytes predict them, unless told otherwise."""
    times = {"neither": neither, "forward": forward, "backward": backward, "both": both}
    return [
        result(
            name, time, bytes=BYTES[name], forward_bytes=3_000_000, backward_bytes=8_000_000,
            saved_bytes=1_000_000 + 1_000_000 * (name == "neither"), peak_memory_bytes=5_000_000,
        )
        for name, time in times.items()
    ]  # fmt: skip


def test_a_forward_worth_less_than_half_bears_the_claim_out():
    said = concluded("backward", *timed())
    assert said.outcome is Outcome.HOLDS
    assert said.answer.measured == pytest.approx(130 / 110, rel=1e-3)
    assert said.answer.predicted == pytest.approx(13 / 11)
    assert "29\N{NO-BREAK SPACE}%" in said.sentence and "under half" in said.sentence
    part = next(one for one in said.numbers if one.name.endswith("saving, measured"))
    assert part.value == pytest.approx(2 / 7, rel=1e-2)
    assert said.suspects == ()
    told = (
        "29\N{NO-BREAK SPACE}% of the time that fusing both saves: 1.18× by bytes; 1.18× measured"
    )
    assert said.evidence == f"the forward alone brings {told}"


def test_a_forward_worth_more_than_half_speaks_against_it():
    said = concluded("backward", *timed(forward=80.0))
    assert said.outcome is Outcome.FAILS
    assert "more than half" in said.sentence


def test_a_forward_worth_about_half_decides_nothing():
    assert concluded("backward", *timed(forward=95.0)).outcome is Outcome.UNDECIDED


def test_where_fusing_both_saves_nothing_nothing_is_decided():
    said = concluded("backward", *timed(forward=120.0, both=130.0))
    assert said.outcome is Outcome.UNDECIDED
    assert "cannot say" in said.sentence


def test_a_gain_beyond_the_bytes_is_suspect():
    said = concluded("backward", *timed(both=45.0))
    assert any("Both fused" in one for one in said.suspects)


def test_without_the_forward_alone_nothing_is_concluded():
    with pytest.raises(Incomplete, match="forward"):
        concluded("backward", *(one for one in timed() if one["variant"] != "forward"))
