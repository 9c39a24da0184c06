"""Answer and card -> findings: what the rest of the program calls a checker.

Three signs: the grammar (the card's cues, and who says them), the network (the
card's sentences, compared in context) and, for what the network has a sight of,
the verifier (claim and words read together). weighing.py concludes.
"""

from app.domain.card import Card
from app.domain.checking.bounded import read_part
from app.domain.checking.findings import Finding
from app.domain.checking.grammar import read_answer
from app.domain.checking.looked import Looked, opposite
from app.domain.checking.network import the_network
from app.domain.checking.pitfalls import pitfall_in
from app.domain.checking.points import key_point_in
from app.domain.checking.sighting import Claim
from app.domain.checking.verifier import the_verifier
from app.domain.checking.weighing import BARS, Bars
from app.domain.rubric import Pitfall


def get_ready() -> None:
    """Load what every check needs; Trouble where a file of it is missing or damaged."""
    the_network()
    the_verifier()


def check(answer: str, card: Card, bars: Bars = BARS) -> tuple[Finding, ...]:
    """One finding for every key point, then one for every pitfall, in the card's order.

    Of an answer that is too long its start is read (bounded.py says how much).
    """
    read = read_part(answer)
    reading = read_answer(read, card)
    looked = Looked(read, reading, the_network().look(read, claims_of(card)))
    points = [key_point_in(point, looked) for point in card.key_points]
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
