"""The idle experiment's conclusion follows its samples, whichever way they point."""

import pytest

from kernels.lab.conclusion import Outcome
from kernels.lab.evidence import Incomplete
from tests.lab import evidence
from tests.lab.evidence import result

PACE = {"period_us": 2000.0, "decoding_us": 300.0}


def steps(starved_us: tuple[float, float], device_us: tuple[float, float]):
    """(separate, fused): a starved step on the clock, the device's part of it; and ready steps."""
    found = []
    chains = ("separate", "fused")
    for chain, wall, busy in zip(chains, starved_us, device_us, strict=True):
        for fed, clock in (("starved", wall), ("ready", busy + 20)):
            at = {"chain": chain, "fed": fed}
            pace = PACE if fed == "starved" else {}
            found.append(result("step", clock, {**at, "clock": "wall"}, busy=busy / clock, **pace))
            found.append(result("step", busy, {**at, "clock": "device"}))
    return found


def concluded(found):
    return evidence.concluded("idle", *found)


def test_an_unchanged_starved_step_bears_the_claim_out():
    said = concluded(steps((2000.0, 2000.0), (1000.0, 500.0)))
    assert said.outcome is Outcome.HOLDS
    assert said.answer.measured == pytest.approx(0.0, abs=0.1)
    assert said.answer.predicted == 0.0
    assert "falls by 50\u00a0%" in said.sentence
    assert said.evidence.endswith("a starved step 0.0\u00a0% on the clock")
    assert "busy 25\u00a0% of the time instead of 50\u00a0%" in said.sentence


def test_a_shorter_starved_step_speaks_against_it():
    said = concluded(steps((2000.0, 1500.0), (1000.0, 500.0)))
    assert said.outcome is Outcome.FAILS
    assert "25.0\u00a0% shorter" in said.sentence


@pytest.mark.parametrize(
    ("starved", "device_us"),
    [
        ((2000.0, 2000.0), (1000.0, 1000.0)),  # the device's time did not fall
        ((1010.0, 1010.0), (1000.0, 500.0)),  # nothing was starved
        ((2000.0, 2400.0), (1000.0, 500.0)),  # the step got longer
    ],
)
def test_what_can_not_decide_the_claim_is_said_not_to(starved, device_us):
    assert concluded(steps(starved, device_us)).outcome is Outcome.UNDECIDED


def test_a_step_is_predicted_to_take_as_long_as_the_slower_of_input_and_device():
    said = concluded(steps((4000.0, 2000.0), (4000.0, 1000.0)))
    assert said.answer.predicted == pytest.approx(50.0, abs=0.1)  # 4,000 µs, then the input's 2,000


def test_the_note_says_how_much_slower_the_input_was():
    said = concluded(steps((2000.0, 2000.0), (1000.0, 500.0)))
    assert "every 2,000 µs, 2.0× what the separate step takes" in said.notes[0]


def test_without_the_fused_steps_nothing_is_concluded():
    with pytest.raises(Incomplete, match="fused"):
        concluded(steps((2000.0, 2000.0), (1000.0, 500.0))[:4])


def test_the_inputs_pace_is_told_beside_its_line():
    said = concluded(steps((2000.0, 2000.0), (1000.0, 500.0)))
    assert said.pictures[0].mark.label == "a batch every 2,000 µs"
