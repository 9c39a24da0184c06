"""A card's own words against the real checker."""

from dataclasses import replace

import pytest

from app.domain.card import Prose
from app.domain.checking.check import check
from app.domain.checking.lint import Lint, lint

TRIPS = "Each stage reads the tensor from memory and writes it back, so three round trips."
SAME = "The FLOPs stay the same."
FEWER = "Fusing lowers the number of floating-point operations."


@pytest.fixture
def sound(card):
    """The card, cut down to words that the checker surely reads as they are meant."""
    basics = replace(card.tier("basics"), answer=Prose(f"{TRIPS} {SAME}", ""))
    return replace(
        card,
        tiers=(basics,),
        follow_ups=(replace(card.follow_ups[0], answer=Prose(SAME, "")),),
        pitfalls=(replace(card.pitfall("fewer_flops"), instead=SAME),),
    )


def told(card):
    return list(lint(card, check))


def with_answer(card, text):
    return replace(card, tiers=(replace(card.tiers[0], answer=Prose(text, "")),))


def test_a_sound_card_has_no_fault(sound):
    assert told(sound) == []


def test_a_tier_that_leaves_out_what_it_asks_for_is_told(sound):
    message = "the checker does not find 'round_trips' here, which this tier asks for"
    assert told(with_answer(sound, SAME)) == [Lint("tier", "basics", message)]


def test_a_tier_owes_only_what_it_asks_for(sound):
    asks_less = replace(sound.tiers[0], asks=("same_arithmetic",), answer=Prose(SAME, ""))
    assert told(replace(sound, tiers=(asks_less,))) == []


def test_a_tier_that_falls_into_a_pitfall_is_told_with_the_words(sound):
    (fault,) = told(with_answer(sound, f"{TRIPS} {SAME} And in the end: {FEWER}"))[-1:]
    assert (fault.part, fault.id) == ("tier", "basics")
    assert fault.message.startswith("the checker sees 'fewer_flops' here (flagged): ")
    assert "number of floating-point operations" in fault.message


def test_a_follow_up_that_falls_into_a_pitfall_is_told(sound, card):
    fallen = replace(card.follow_ups[0], answer=Prose(FEWER, ""))
    (fault,) = told(replace(sound, follow_ups=(fallen,)))
    assert (fault.part, fault.id) == ("follow-up", fallen.id)


@pytest.mark.parametrize("instead", [FEWER, "The weather is fine."])
def test_a_correction_that_rejects_nothing_is_told(sound, instead):
    pitfall = replace(sound.pitfalls[0], instead=instead)
    faults = told(replace(sound, pitfalls=(pitfall,)))
    message = "the checker does not see that 'instead' rejects 'fewer_flops'"
    assert faults[0] == Lint("pitfall", "fewer_flops", message)
    assert len(faults) == (2 if instead == FEWER else 1)


def test_the_levels_owe_no_point_but_may_fall_into_no_pitfall(sound, card):
    levels = (replace(card.levels[0], body=Prose(FEWER, "")),)
    with_deep = replace(sound, tiers=(*sound.tiers, card.tier("deep")), levels=levels)
    (fault,) = told(with_deep)
    assert (fault.part, fault.id) == ("tier", "deep")
