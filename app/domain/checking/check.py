"""Answer and card -> findings: what the rest of the program calls a checker.

Two signs that know nothing of each other: the grammar (the card's cues, and who
says them) and the network (the card's sentences, compared in context). What
either may conclude is written down in `Bars`.
"""

from dataclasses import dataclass

from app.domain.card import Card, KeyPoint, Pitfall
from app.domain.checking import grammar
from app.domain.checking.findings import Finding, Kind, State
from app.domain.checking.grammar import Mention, Reading
from app.domain.checking.network import Claim, Sighting, the_network
from app.domain.checking.stance import Stance

GRAMMAR, NETWORK = "grammar", "network"


@dataclass(frozen=True, slots=True)
class Bars:
    """Probabilities at which the network's word counts.

    A claim isn't flagged while its opposite is as probable as `opposite`, unless
    both signs agree that it is the answer's last word: to miss a pitfall costs a
    learner less than to be accused of one.
    """

    flagged: float = 0.5
    last_word: float = 0.97
    opposite: float = 0.25
    possible: float = 0.3
    rejected: float = 0.5
    covered: float = 0.6
    covered_with_grammar: float = 0.3


BARS = Bars()
_NOWHERE = Sighting(0.0, 0, 0)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What both signs found on one pitfall or key point."""

    mention: Mention | None
    says: Sighting
    denies: Sighting

    @property
    def stance(self) -> Stance | None:
        """The grammar's conclusion, if it has one."""
        return self.mention.stance if self.mention else None


def check(answer: str, card: Card) -> tuple[Finding, ...]:
    """One finding for every key point, then one for every pitfall, in the card's order."""
    reading = grammar.read_answer(answer, card)
    seen = the_network().look(answer, claims_of(card))
    points = [_key_point(point, reading, seen) for point in card.key_points]
    return tuple(points + [_pitfall(pitfall, reading, seen) for pitfall in card.pitfalls])


def claims_of(card: Card) -> tuple[Claim, ...]:
    """What the network looks for: each pitfall and its opposite, each other key point."""
    claims = [Claim(pitfall.id, pitfall.asserts) for pitfall in card.pitfalls]
    claims += [Claim(_opposite(pitfall.id), _denials(pitfall, card)) for pitfall in card.pitfalls]
    claims += [Claim(point.id, point.asserts) for point in card.key_points if not point.opposes]
    return tuple(claim for claim in claims if claim.statements)


def _opposite(ref: str) -> str:
    return f"not {ref}"


def _denials(pitfall: Pitfall, card: Card) -> tuple[str, ...]:
    opposing = [s for p in card.key_points if p.opposes == pitfall.id for s in p.asserts]
    return (*pitfall.rejects, *opposing)


def _key_point(point: KeyPoint, reading: Reading, seen: dict[str, Sighting]) -> Finding:
    name = _opposite(point.opposes) if point.opposes else point.id
    sighting = seen.get(name, _NOWHERE)
    said = grammar.first_saying(reading.key_points[point.id])
    if sighting.probability >= BARS.covered:
        signs = (NETWORK, GRAMMAR) if said else (NETWORK,)
        return _found(point.id, State.COVERED, signs, (sighting.start, sighting.end))
    if said and sighting.probability >= BARS.covered_with_grammar:
        span = reading.text.span(said.first, said.last)
        return _found(point.id, State.COVERED, (GRAMMAR, NETWORK), span)
    return Finding(Kind.KEY_POINT, point.id, State.NOT_FOUND)


def _found(ref: str, state: State, signs: tuple[str, ...], span: tuple[int, int]) -> Finding:
    kind = Kind.KEY_POINT if state is State.COVERED else Kind.PITFALL
    return Finding(kind, ref, state, *span, signs)


def _pitfall(pitfall: Pitfall, reading: Reading, seen: dict[str, Sighting]) -> Finding:
    mention = grammar.last_word(reading.pitfalls[pitfall.id])
    denies = seen.get(_opposite(pitfall.id), _NOWHERE)
    evidence = Evidence(mention, seen.get(pitfall.id, _NOWHERE), denies)
    state, signs = _weighed(evidence)
    if state is State.NOT_FOUND:
        return Finding(Kind.PITFALL, pitfall.id, state)
    return _found(pitfall.id, state, signs, _words(state, evidence, reading))


def _weighed(evidence: Evidence) -> tuple[State, tuple[str, ...]]:
    says, denies = evidence.says.probability, evidence.denies.probability
    if evidence.stance is Stance.SAYS and _network_says(evidence):
        return State.FLAGGED, (GRAMMAR, NETWORK)
    if evidence.stance is Stance.DENIES and (denies >= says or says < BARS.possible):
        return State.REJECTED, (GRAMMAR,) if denies < BARS.rejected else (GRAMMAR, NETWORK)
    if says >= BARS.possible and says > denies / 3:
        return State.POSSIBLE, (NETWORK,)
    if denies >= BARS.rejected:
        return State.REJECTED, (NETWORK,)
    return State.NOT_FOUND, ()


def _network_says(evidence: Evidence) -> bool:
    says, denies = evidence.says, evidence.denies
    if denies.probability < BARS.opposite:
        return says.probability >= BARS.flagged
    later = says.start > denies.start
    return later and says.probability >= max(BARS.last_word, denies.probability)


def _words(state: State, evidence: Evidence, reading: Reading) -> tuple[int, int]:
    """The words to show: the network's, unless it saw none."""
    sighting = evidence.denies if state is State.REJECTED else evidence.says
    if sighting.probability >= BARS.possible or evidence.mention is None:
        return sighting.start, sighting.end
    return reading.text.span(evidence.mention.first, evidence.mention.last)
