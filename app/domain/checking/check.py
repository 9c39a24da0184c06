"""Answer and card -> findings: what the rest of the program calls a checker.

Three signs: the grammar (the card's cues, and who says them), the network (the
card's sentences, compared in context) and, for what the network has a sight of,
the verifier (claim and words read together). weighing.py concludes.
"""

import re
from dataclasses import dataclass

from app.domain.card import Card
from app.domain.checking.amounts import belies
from app.domain.checking.evidence import Evidence
from app.domain.checking.findings import Finding, Kind, State
from app.domain.checking.grammar import Reading, read_answer
from app.domain.checking.mentions import Mention, first_saying
from app.domain.checking.network import the_network
from app.domain.checking.sighting import NOWHERE, UNREAD, Claim, Sighting
from app.domain.checking.verifier import the_verifier
from app.domain.checking.weighing import BARS, GRAMMAR, NETWORK, Bars, one_sign, weighed
from app.domain.rubric import KeyPoint, Pitfall

# A word, or two numbers set against each other.
_STATES = re.compile(r"[^\W\d_]{2,}|\d\w*\s*(?:[→⇒÷/:|]|[-=]>|vs)\s*\d")
_COVERED, _WITH_GRAMMAR = 0.5, 0.2  # probabilities from which the network's word counts


@dataclass(frozen=True, slots=True)
class Looked:
    """An answer with what grammar and network saw in it."""

    answer: str
    reading: Reading
    seen: dict[str, Sighting]


def get_ready() -> None:
    """Load what every check needs; Trouble where a file of it is missing or damaged."""
    the_network()
    the_verifier()


def check(answer: str, card: Card, bars: Bars = BARS) -> tuple[Finding, ...]:
    """One finding for every key point, then one for every pitfall, in the card's order."""
    reading = read_answer(answer, card)
    looked = Looked(answer, reading, the_network().look(answer, claims_of(card)))
    points = [_key_point(point, looked) for point in card.key_points]
    return tuple(points + [_pitfall(pitfall, looked, bars) for pitfall in card.pitfalls])


def claims_of(card: Card) -> tuple[Claim, ...]:
    """What the network looks for: each pitfall and its opposite, each other key point."""
    claims = [Claim(pitfall.id, pitfall.asserts) for pitfall in card.pitfalls]
    claims += [Claim(_opposite(pitfall.id), _denials(pitfall, card)) for pitfall in card.pitfalls]
    claims += [Claim(point.id, point.asserts) for point in card.key_points if not point.opposes]
    return tuple(claim for claim in claims if claim.statements)


def _gathered(pitfall: Pitfall, looked: Looked) -> Evidence:
    """What the signs found on a pitfall; the verifier is asked where there is something to read."""
    answer, reading = looked.answer, looked.reading
    says = looked.seen.get(pitfall.id, NOWHERE)
    words = (pitfall.id, says.start, says.end)
    sighted = says.probability >= BARS.read
    return Evidence(
        reading.pitfalls[pitfall.id],
        says,
        looked.seen.get(_opposite(pitfall.id), NOWHERE),
        the_verifier().read(pitfall.says, answer, says) if sighted else UNREAD,
        cued=reading.is_cued(*words),
        about=reading.is_about(*words),
        disowned=_is_disowned(pitfall, says, looked),
    )


def _opposite(ref: str) -> str:
    return f"not {ref}"


def _denials(pitfall: Pitfall, card: Card) -> tuple[str, ...]:
    opposing = [s for p in card.key_points if p.opposes == pitfall.id for s in p.asserts]
    return (*pitfall.rejects, *opposing)


def _key_point(point: KeyPoint, looked: Looked) -> Finding:
    name = _opposite(point.opposes) if point.opposes else point.id
    said = first_saying(looked.reading.key_points[point.id])
    if name not in looked.seen:
        return _by_grammar_alone(point, said, looked.reading)
    sighting = looked.seen[name]
    if sighting.probability >= _COVERED and (said or _is_statement(looked.answer, sighting)):
        signs = (NETWORK, GRAMMAR) if said else (NETWORK,)
        return _found(point.id, State.COVERED, signs, (sighting.start, sighting.end))
    if said and sighting.probability >= _WITH_GRAMMAR:
        span = looked.reading.text.span(said.first, said.last)
        return _found(point.id, State.COVERED, (GRAMMAR, NETWORK), span)
    return Finding(Kind.KEY_POINT, point.id, State.NOT_FOUND)


def _is_statement(answer: str, sighting: Sighting) -> bool:
    """Whether the words can say anything: '1 2 3' can't, '6 → 2' can."""
    return _STATES.search(answer, sighting.start, sighting.end) is not None


def _by_grammar_alone(point: KeyPoint, said: Mention | None, reading: Reading) -> Finding:
    """The finding for a card whose subject the network doesn't know."""
    if said is None:
        return Finding(Kind.KEY_POINT, point.id, State.NOT_FOUND)
    return _found(point.id, State.COVERED, (GRAMMAR,), reading.text.span(said.first, said.last))


def _found(ref: str, state: State, signs: tuple[str, ...], span: tuple[int, int]) -> Finding:
    kind = Kind.KEY_POINT if state is State.COVERED else Kind.PITFALL
    return Finding(kind, ref, state, *span, signs)


def _pitfall(pitfall: Pitfall, looked: Looked, bars: Bars) -> Finding:
    evidence = _gathered(pitfall, looked)
    state, signs = weighed(evidence, bars) if pitfall.id in looked.seen else one_sign(evidence)
    if state is State.NOT_FOUND:
        return Finding(Kind.PITFALL, pitfall.id, state)
    return _found(pitfall.id, state, signs, _words(state, evidence, looked.reading))


def _is_disowned(pitfall: Pitfall, says: Sighting, looked: Looked) -> bool:
    """Whether quotation marks, a line through it or numbers keep the words from being a claim."""
    struck = looked.reading.is_struck(says.start, says.end)
    numbers = belies(pitfall.says, looked.answer[says.start : says.end])
    return struck or numbers or _is_quoted(looked.answer, says)


def _is_quoted(answer: str, sighting: Sighting) -> bool:
    """Whether the words are somebody's, in quotation marks, or hold such a quotation."""
    before = answer[: sighting.start]
    opened = before.count("“") > before.count("”") or before.count('"') % 2 == 1
    return opened or any(mark in answer[sighting.start : sighting.end] for mark in '"“')


def _words(state: State, evidence: Evidence, reading: Reading) -> tuple[int, int]:
    """The words to show: the network's, unless it saw none."""
    sighting = evidence.denies if state is State.REJECTED else evidence.says
    if sighting.probability >= BARS.sighted or evidence.mention is None:
        return sighting.start, sighting.end
    return reading.text.span(evidence.mention.first, evidence.mention.last)
