"""From what the signs found on a pitfall to what is said of it.

Each sign weighs what it says by its log-odds, and what counts is the sum. To
miss a pitfall costs a learner less than to be accused of one, so 'flagged' lies
high, and no sign can bring it about alone.
"""

import math
from dataclasses import dataclass

from app.domain.checking.evidence import Evidence
from app.domain.checking.findings import State
from app.domain.checking.stance import Stance

GRAMMAR, NETWORK, VERIFIER = "grammar", "network", "verifier"


@dataclass(frozen=True, slots=True)
class Bars:
    """How much each sign weighs, and where the lines are drawn; tests/checking tells by what."""

    network: float = 0.4  # of its log-odds
    verifier: float = 0.6  # of its log-odds
    grammar: float = 0.6  # for it where a cue says it in the network's words, against it if denied
    unnamed: float = 0.3  # against it where the words, and those near, don't name its subject
    flagged: float = 2.75  # the sum
    agreed: float = 0.5  # probability that the verifier must see
    sighted: float = 0.1  # probability that the network must see
    possible: float = -1.3  # the sum
    rejected: float = 0.5  # probability that network or verifier sees of the opposite
    fewest_characters: int = 10  # of what is called possible without a cue
    unspoken: float = 0.5  # the sum, for 'possible', where neither cue nor subject is near
    glimpsed: float = 0.1  # probability that the network must see of what a cue says outright
    read: float = 0.05  # probability from which on the verifier is asked


BARS = Bars()


def weighed(evidence: Evidence, bars: Bars = BARS) -> tuple[State, tuple[str, ...]]:
    """What is concluded, and the signs that it rests on."""
    weight = weight_of(evidence, bars)
    if weight >= bars.flagged and _agreed(evidence, bars):
        return State.FLAGGED, _saying(evidence, bars)
    denying = _denying(evidence, bars)
    if _is_possible(weight, evidence, bars) and not (weight < 0 and len(denying) > 1):
        return State.POSSIBLE, _saying(evidence, bars)
    return (State.REJECTED, denying) if denying else (State.NOT_FOUND, ())


def weight_of(evidence: Evidence, bars: Bars = BARS) -> float:
    """The sum of what the signs weigh; above 0 they rather see the pitfall."""
    network = bars.network * _log_odds(evidence.says.probability)
    verifier = bars.verifier * _log_odds(evidence.verdict.says)
    unnamed = 0.0 if evidence.cued or evidence.about else bars.unnamed
    return network + verifier + bars.grammar * _side(evidence) - unnamed


def _is_possible(weight: float, evidence: Evidence, bars: Bars) -> bool:
    """Whether the learner is asked: it weighs enough, or a cue says it and nothing denies it."""
    if evidence.beside or not _worded(evidence, bars):
        return False
    named = evidence.cued or evidence.about
    return weight >= (bars.possible if named else bars.unspoken) or _outright(evidence, bars)


def _outright(evidence: Evidence, bars: Bars) -> bool:
    """Whether a cue says it, unhedged, the network has a glimpse of it, and nothing denies it."""
    said = evidence.stance is Stance.SAYS and evidence.cued and not evidence.disowned
    denied = max(evidence.denies.probability, evidence.verdict.denies) >= bars.glimpsed
    return said and evidence.says.probability >= bars.glimpsed and not denied


def one_sign(evidence: Evidence) -> tuple[State, tuple[str, ...]]:
    """The grammar alone, for a pitfall that the network doesn't know: never more than possible."""
    if evidence.stance is None:
        return State.NOT_FOUND, ()
    denied = evidence.stance is Stance.DENIES
    return State.REJECTED if denied else State.POSSIBLE, (GRAMMAR,)


def _agreed(evidence: Evidence, bars: Bars) -> bool:
    """Whether network and verifier both see it, and nobody else is quoted."""
    read = evidence.verdict.says >= bars.agreed and evidence.says.probability >= bars.sighted
    return read and not (evidence.disowned or evidence.beside)


def _side(evidence: Evidence) -> int:
    if evidence.stance is Stance.SAYS:
        return int(evidence.cued)
    return 0 if evidence.stance is None else -1


def _worded(evidence: Evidence, bars: Bars) -> bool:
    """Whether there are words enough to show: nobody makes a claim in a single short one."""
    says = evidence.says
    return evidence.mention is not None or says.end - says.start >= bars.fewest_characters


def _saying(evidence: Evidence, bars: Bars) -> tuple[str, ...]:
    """The signs that see it: always the network, whose words are shown."""
    found = {
        GRAMMAR: evidence.cued and evidence.stance is Stance.SAYS,
        NETWORK: True,
        VERIFIER: evidence.verdict.says >= bars.agreed,
    }
    return tuple(sign for sign, says in found.items() if says)


def _denying(evidence: Evidence, bars: Bars) -> tuple[str, ...]:
    found = {
        GRAMMAR: evidence.stance is Stance.DENIES,
        NETWORK: evidence.denies.probability >= bars.rejected,
        VERIFIER: evidence.verdict.denies >= bars.rejected,
    }
    return tuple(sign for sign, denies in found.items() if denies)


def _log_odds(probability: float) -> float:
    """Of a probability, kept from certainty."""
    kept = min(max(probability, 0.002), 0.998)
    return math.log(kept / (1 - kept))
