"""Answer and card -> findings: what the rest of the program calls a checker."""

from app.domain.card import Card
from app.domain.checking.findings import Finding, Kind, State
from app.domain.checking.grammar import SIGN, Mention, Reading, first_saying, last_word, read_answer
from app.domain.checking.stance import Stance

OWN_VOICE = "said as one's own"

_STATES = {Stance.SAYS: State.FLAGGED, Stance.DENIES: State.REJECTED, Stance.UNSURE: State.POSSIBLE}


def check(answer: str, card: Card) -> tuple[Finding, ...]:
    """One finding for every key point, then one for every pitfall, in the card's order."""
    reading = read_answer(answer, card)
    points = [_key_point(point.id, reading) for point in card.key_points]
    return tuple(points + [_pitfall(pitfall.id, reading) for pitfall in card.pitfalls])


def _key_point(ref: str, reading: Reading) -> Finding:
    said = first_saying(reading.key_points[ref])
    if said is None:
        return Finding(Kind.KEY_POINT, ref, State.NOT_FOUND)
    start, end = reading.text.span(said.first, said.last)
    return Finding(Kind.KEY_POINT, ref, State.COVERED, start, end, (SIGN,))


def _pitfall(ref: str, reading: Reading) -> Finding:
    mention = last_word(reading.pitfalls[ref])
    if mention is None:
        return Finding(Kind.PITFALL, ref, State.NOT_FOUND)
    start, end = reading.text.span(mention.first, mention.last)
    state, signs = _judged(mention)
    return Finding(Kind.PITFALL, ref, state, start, end, signs)


def _judged(mention: Mention) -> tuple[State, tuple[str, ...]]:
    """A claim said outright and in one's own voice has two signs; a hedged one has one."""
    state = _STATES[mention.stance]
    if state is State.FLAGGED and mention.hedged:
        return State.POSSIBLE, (SIGN,)
    return state, (SIGN, OWN_VOICE) if state is State.FLAGGED else (SIGN,)
