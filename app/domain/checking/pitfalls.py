"""What an answer makes of a pitfall: the signs, gathered and weighed, and the words to show."""

from app.domain.checking.disowned import is_beside, is_disowned
from app.domain.checking.evidence import Evidence
from app.domain.checking.findings import Finding, Kind, State
from app.domain.checking.grammar import Reading
from app.domain.checking.looked import Looked, found, opposite
from app.domain.checking.sighting import NOWHERE, UNREAD
from app.domain.checking.verifier import the_verifier
from app.domain.checking.weighing import BARS, Bars, one_sign, weighed
from app.domain.rubric import Pitfall


def pitfall_in(pitfall: Pitfall, looked: Looked, bars: Bars) -> Finding:
    """The finding on a pitfall, weighed from all signs that the card's subject allows."""
    evidence = _gathered(pitfall, looked)
    state, signs = weighed(evidence, bars) if pitfall.id in looked.seen else one_sign(evidence)
    if state is State.NOT_FOUND:
        return Finding(Kind.PITFALL, pitfall.id, state)
    return found(pitfall.id, state, signs, _words(state, evidence, looked.reading))


def _gathered(pitfall: Pitfall, looked: Looked) -> Evidence:
    """What the signs found on a pitfall; the verifier is asked where there is something to read."""
    answer, reading = looked.answer, looked.reading
    says = looked.seen.get(pitfall.id, NOWHERE)
    words = (pitfall.id, says.start, says.end)
    sighted = says.probability >= BARS.read
    return Evidence(
        reading.pitfalls[pitfall.id],
        says,
        looked.seen.get(opposite(pitfall.id), NOWHERE),
        the_verifier().read(pitfall.says, answer, says) if sighted else UNREAD,
        cued=reading.is_cued(*words),
        about=reading.is_about(*words),
        disowned=is_disowned(says, looked),
        beside=is_beside(pitfall, says, looked),
    )


def _words(state: State, evidence: Evidence, reading: Reading) -> tuple[int, int]:
    """The words to show: the network's, unless it saw none."""
    sighting = evidence.denies if state is State.REJECTED else evidence.says
    if sighting.probability >= BARS.sighted or evidence.mention is None:
        return sighting.start, sighting.end
    return reading.text.span(evidence.mention.first, evidence.mention.last)
