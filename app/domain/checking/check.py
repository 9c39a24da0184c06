"""Answer and card -> findings: what the rest of the program calls a checker.

Three signs: the grammar (the card's cues, and who says them), the network (the
card's sentences, compared in context) and, for what the network has a sight of,
the verifier (claim and words read together). weighing.py concludes.
"""

import re

from app.domain.card import Card
from app.domain.checking.findings import Finding, Kind, State
from app.domain.checking.grammar import Reading, read_answer
from app.domain.checking.looked import Looked, found, opposite
from app.domain.checking.mentions import Mention, first_saying
from app.domain.checking.network import the_network
from app.domain.checking.pitfalls import pitfall_in
from app.domain.checking.sighting import Claim, Sighting
from app.domain.checking.verifier import the_verifier
from app.domain.checking.weighing import BARS, GRAMMAR, NETWORK, Bars
from app.domain.rubric import KeyPoint, Pitfall

# A word, or two numbers set against each other.
_STATES = re.compile(r"[^\W\d_]{2,}|\d\w*\s*(?:[→⇒÷/:|]|[-=]>|vs)\s*\d")
_COVERED, _WITH_GRAMMAR = 0.5, 0.2  # probabilities from which the network's word counts


def get_ready() -> None:
    """Load what every check needs; Trouble where a file of it is missing or damaged."""
    the_network()
    the_verifier()


def check(answer: str, card: Card, bars: Bars = BARS) -> tuple[Finding, ...]:
    """One finding for every key point, then one for every pitfall, in the card's order."""
    reading = read_answer(answer, card)
    looked = Looked(answer, reading, the_network().look(answer, claims_of(card)))
    points = [_key_point(point, looked) for point in card.key_points]
    return tuple(points + [pitfall_in(pitfall, looked, bars) for pitfall in card.pitfalls])


def claims_of(card: Card) -> tuple[Claim, ...]:
    """What the network looks for: each pitfall and its opposite, each other key point."""
    claims = [Claim(pitfall.id, pitfall.asserts) for pitfall in card.pitfalls]
    claims += [Claim(opposite(pitfall.id), _denials(pitfall, card)) for pitfall in card.pitfalls]
    claims += [Claim(point.id, point.asserts) for point in card.key_points if not point.opposes]
    return tuple(claim for claim in claims if claim.statements)


def _denials(pitfall: Pitfall, card: Card) -> tuple[str, ...]:
    opposing = [s for p in card.key_points if p.opposes == pitfall.id for s in p.asserts]
    return (*pitfall.rejects, *opposing)


def _key_point(point: KeyPoint, looked: Looked) -> Finding:
    name = opposite(point.opposes) if point.opposes else point.id
    said = first_saying(looked.reading.key_points[point.id])
    if name not in looked.seen:
        return _by_grammar_alone(point, said, looked.reading)
    sighting = looked.seen[name]
    if sighting.probability >= _COVERED and (said or _is_statement(looked.answer, sighting)):
        signs = (NETWORK, GRAMMAR) if said else (NETWORK,)
        return found(point.id, State.COVERED, signs, (sighting.start, sighting.end))
    if said and sighting.probability >= _WITH_GRAMMAR:
        span = looked.reading.text.span(said.first, said.last)
        return found(point.id, State.COVERED, (GRAMMAR, NETWORK), span)
    return Finding(Kind.KEY_POINT, point.id, State.NOT_FOUND)


def _is_statement(answer: str, sighting: Sighting) -> bool:
    """Whether the words can say anything: '1 2 3' can't, '6 → 2' can."""
    return _STATES.search(answer, sighting.start, sighting.end) is not None


def _by_grammar_alone(point: KeyPoint, said: Mention | None, reading: Reading) -> Finding:
    """The finding for a card whose subject the network doesn't know."""
    if said is None:
        return Finding(Kind.KEY_POINT, point.id, State.NOT_FOUND)
    return found(point.id, State.COVERED, (GRAMMAR,), reading.text.span(said.first, said.last))
