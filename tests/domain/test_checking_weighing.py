"""What is concluded from the signs: together they flag, alone they don't."""

from dataclasses import replace

import pytest

from app.domain.checking.evidence import Evidence
from app.domain.checking.findings import State
from app.domain.checking.mentions import Mention
from app.domain.checking.sighting import NOWHERE, UNREAD, Sighting, Verdict
from app.domain.checking.stance import Stance
from app.domain.checking.weighing import GRAMMAR, NETWORK, VERIFIER, one_sign, weighed

SAID = (Mention(Stance.SAYS, 0, 4, hedged=False),)
DENIED = (Mention(Stance.DENIES, 0, 4, hedged=False),)
SURE = Sighting(0.99, 0, 30)
ALL_SEE = Evidence(SAID, SURE, NOWHERE, Verdict(0.98, 0.01), cued=True)


def test_what_all_see_is_flagged_by_all():
    assert weighed(ALL_SEE) == (State.FLAGGED, (GRAMMAR, NETWORK, VERIFIER))


@pytest.mark.parametrize(
    "evidence",
    [
        replace(ALL_SEE, verdict=Verdict(0.3, 0.6)),
        replace(ALL_SEE, verdict=UNREAD),
        replace(ALL_SEE, says=Sighting(0.02, 0, 30)),
        replace(ALL_SEE, disowned=True),
    ],
)
def test_what_one_of_the_networks_does_not_see_or_the_answer_disowns_is_not_flagged(
    evidence: Evidence,
):
    assert weighed(evidence)[0] is not State.FLAGGED


def test_the_grammar_alone_flags_nothing():
    nothing = Evidence(SAID, NOWHERE, NOWHERE, cued=True)
    assert weighed(nothing)[0] is not State.FLAGGED
    assert one_sign(nothing) == (State.POSSIBLE, (GRAMMAR,))


@pytest.mark.parametrize(
    ("evidence", "signs"),
    [
        (Evidence(DENIED, NOWHERE, NOWHERE), (GRAMMAR,)),
        (Evidence((), NOWHERE, SURE), (NETWORK,)),
        (Evidence((), Sighting(0.1, 0, 30), NOWHERE, Verdict(0.02, 0.95)), (VERIFIER,)),
    ],
)
def test_any_sign_may_tell_that_it_is_rejected(evidence: Evidence, signs: tuple[str, ...]):
    assert weighed(evidence) == (State.REJECTED, signs)


def test_a_faint_sight_that_two_signs_deny_is_no_possibility():
    faint = Evidence((), Sighting(0.5, 0, 30), NOWHERE, Verdict(0.3, 0.6), about=True)
    assert weighed(faint)[0] is State.POSSIBLE
    assert weighed(replace(faint, denies=SURE))[0] is State.REJECTED


def test_nothing_seen_is_nothing_found():
    assert weighed(Evidence((), NOWHERE, NOWHERE)) == (State.NOT_FOUND, ())


def test_two_characters_are_no_claim():
    short = Evidence((), Sighting(0.8, 0, 2), NOWHERE, Verdict(0.5, 0.2), about=True)
    assert weighed(short)[0] is State.NOT_FOUND
    assert weighed(replace(short, says=Sighting(0.8, 0, 20)))[0] is State.POSSIBLE


def test_a_verifier_that_does_not_see_it_is_no_sign_of_it():
    without = replace(ALL_SEE, verdict=Verdict(0.3, 0.2))
    assert weighed(without) == (State.POSSIBLE, (GRAMMAR, NETWORK))


def test_without_its_subject_it_takes_more_to_ask_the_learner():
    faint = Evidence((), Sighting(0.6, 0, 30), NOWHERE, Verdict(0.6, 0.1), about=True)
    assert weighed(faint)[0] is State.POSSIBLE
    assert weighed(replace(faint, about=False))[0] is State.NOT_FOUND


def test_what_a_cue_says_outright_is_possible_though_the_verifier_does_not_see_it():
    doubted = replace(ALL_SEE, says=Sighting(0.3, 0, 30), verdict=Verdict(0.02, 0.01))
    assert weighed(doubted) == (State.POSSIBLE, (GRAMMAR, NETWORK))
    assert weighed(replace(doubted, verdict=Verdict(0.02, 0.5)))[0] is not State.POSSIBLE
    assert weighed(replace(doubted, disowned=True))[0] is not State.POSSIBLE


def test_words_that_are_of_another_thing_are_neither_flagged_nor_possible():
    assert weighed(replace(ALL_SEE, beside=True))[0] is State.NOT_FOUND
