"""Answer and card -> findings: what the rest of the program calls a checker.

Two signs that know nothing of each other: the grammar (the card's cues, and who
says them) and the network (the card's sentences, compared in context). What
either may conclude is written down in `Bars`.
"""

import re
from dataclasses import dataclass

from app.domain.card import Card, KeyPoint, Pitfall
from app.domain.checking import grammar
from app.domain.checking.findings import Finding, Kind, State
from app.domain.checking.grammar import Mention, Reading
from app.domain.checking.network import NOWHERE, Claim, Sighting, the_network
from app.domain.checking.stance import Stance

# A word, or two numbers set against each other.
_STATES = re.compile(r"[^\W\d_]{2,}|\d\w*\s*(?:[→⇒÷/:|]|[-=]>|vs)\s*\d")

GRAMMAR, NETWORK = "grammar", "network"


@dataclass(frozen=True, slots=True)
class Bars:
    """Probabilities at which the network's word counts.

    A claim isn't flagged while its opposite is as probable as `opposite`, unless
    it is the answer's last word: to miss a pitfall costs a learner less than to
    be accused of one. The less the grammar has to say, the surer the network
    must be.
    """

    flagged: float = 0.9  # where a cue says it
    opposite: float = 0.1
    flagged_by_subject: float = 0.95  # where no cue does, but the subject is named
    opposite_by_subject: float = 0.05
    last_word: float = 0.97  # where the opposite is said earlier, or a cue denies it
    possible: float = 0.15
    fewest_characters: int = 10  # of what the network alone calls possible
    rejected: float = 0.5
    covered: float = 0.6
    covered_with_grammar: float = 0.3


BARS = Bars()


@dataclass(frozen=True, slots=True)
class Evidence:
    """What both signs found on one pitfall or key point."""

    mentions: tuple[Mention, ...]
    says: Sighting
    denies: Sighting
    cued: bool = False  # whether a cue lies in the words that the network saw
    about: bool = False  # whether they, or words near, name the pitfall's subject
    disowned: bool = False  # whether they stand between quotation marks, or are struck out

    @property
    def mention(self) -> Mention | None:
        """The mention by which the grammar concludes, if it found any."""
        return grammar.last_word(self.mentions)

    @property
    def stance(self) -> Stance | None:
        """The grammar's conclusion, if it has one."""
        return self.mention.stance if self.mention else None


def check(answer: str, card: Card) -> tuple[Finding, ...]:
    """One finding for every key point, then one for every pitfall, in the card's order."""
    reading = grammar.read_answer(answer, card)
    seen = the_network().look(answer, claims_of(card))
    points = [_key_point(point, answer, reading, seen) for point in card.key_points]
    return tuple(points + [_pitfall(p, answer, reading, seen) for p in card.pitfalls])


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


def _key_point(
    point: KeyPoint, answer: str, reading: Reading, seen: dict[str, Sighting]
) -> Finding:
    name = _opposite(point.opposes) if point.opposes else point.id
    said = grammar.first_saying(reading.key_points[point.id])
    if name not in seen:
        return _by_grammar_alone(point, said, reading)
    sighting = seen[name]
    if sighting.probability >= BARS.covered and (said or _is_statement(answer, sighting)):
        signs = (NETWORK, GRAMMAR) if said else (NETWORK,)
        return _found(point.id, State.COVERED, signs, (sighting.start, sighting.end))
    if said and sighting.probability >= BARS.covered_with_grammar:
        span = reading.text.span(said.first, said.last)
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


def _pitfall(pitfall: Pitfall, answer: str, reading: Reading, seen: dict[str, Sighting]) -> Finding:
    denies = seen.get(_opposite(pitfall.id), NOWHERE)
    says = seen.get(pitfall.id, NOWHERE)
    words = (pitfall.id, says.start, says.end)
    evidence = Evidence(
        reading.pitfalls[pitfall.id],
        says,
        denies,
        reading.is_cued(*words),
        reading.is_about(*words),
        _is_quoted(answer, says) or reading.is_struck(says.start, says.end),
    )
    state, signs = _weighed(evidence) if pitfall.id in seen else _one_sign(evidence)
    if state is State.NOT_FOUND:
        return Finding(Kind.PITFALL, pitfall.id, state)
    return _found(pitfall.id, state, signs, _words(state, evidence, reading))


def _is_quoted(answer: str, sighting: Sighting) -> bool:
    """Whether the words are somebody's, in quotation marks, or hold such a quotation."""
    before = answer[: sighting.start]
    opened = before.count("“") > before.count("”") or before.count('"') % 2 == 1
    return opened or any(mark in answer[sighting.start : sighting.end] for mark in '"“')


def _weighed(evidence: Evidence) -> tuple[State, tuple[str, ...]]:
    says, denies = evidence.says.probability, evidence.denies.probability
    if _both_say(evidence):
        return State.FLAGGED, (GRAMMAR, NETWORK)
    if evidence.stance is Stance.DENIES and (denies >= says or says < BARS.possible):
        return State.REJECTED, (GRAMMAR,) if denies < BARS.rejected else (GRAMMAR, NETWORK)
    if says >= BARS.possible and says > denies / 5 and _worded(evidence):
        return State.POSSIBLE, (NETWORK,)
    if denies >= BARS.rejected:
        return State.REJECTED, (NETWORK,)
    return State.NOT_FOUND, ()


def _worded(evidence: Evidence) -> bool:
    """Whether there are words enough to show: nobody makes a claim in a single short one."""
    says = evidence.says
    return evidence.mention is not None or says.end - says.start >= BARS.fewest_characters


def _one_sign(evidence: Evidence) -> tuple[State, tuple[str, ...]]:
    """The grammar alone, for a pitfall that the network doesn't know: never more than possible."""
    if evidence.stance is None:
        return State.NOT_FOUND, ()
    denied = evidence.stance is Stance.DENIES
    return State.REJECTED if denied else State.POSSIBLE, (GRAMMAR,)


def _both_say(evidence: Evidence) -> bool:
    """Whether grammar and network both see the claim made, and not only its opposite."""
    says, denies = evidence.says, evidence.denies
    cued, denied = (
        evidence.cued and evidence.stance is Stance.SAYS,
        evidence.stance is Stance.DENIES,
    )
    if evidence.disowned or not (cued or evidence.about):
        return False
    if denies.probability >= BARS.opposite:
        later = says.start > denies.start
        likelier = cued or says.probability >= denies.probability
        return later and likelier and says.probability >= BARS.last_word
    if cued:
        return says.probability >= BARS.flagged
    bar = BARS.last_word if denied else BARS.flagged_by_subject
    return says.probability >= bar and denies.probability < BARS.opposite_by_subject


def _words(state: State, evidence: Evidence, reading: Reading) -> tuple[int, int]:
    """The words to show: the network's, unless it saw none."""
    sighting = evidence.denies if state is State.REJECTED else evidence.says
    if sighting.probability >= BARS.possible or evidence.mention is None:
        return sighting.start, sighting.end
    return reading.text.span(evidence.mention.first, evidence.mention.last)
