"""The designs that were tried, on the same unseen answers.

    python -m tests.checking.designs [--ngrams]

`--ngrams` also trains the light design (needs torch, a few minutes).
"""

import sys
from dataclasses import replace
from functools import partial

from app.domain.card import Card
from app.domain.checking.check import check, claims_of
from app.domain.checking.findings import Checker, Finding, Kind, State
from app.domain.checking.grammar import read_answer
from app.domain.checking.mentions import first_saying, last_word
from app.domain.checking.network import the_network
from app.domain.checking.sighting import NOWHERE, Sighting
from app.domain.checking.stance import Stance
from app.domain.checking.weighing import BARS
from tests.checking import markup
from tests.checking.first_card import load
from tests.checking.quality import measures, unseen
from tests.checking.scoring import judge

# Without the verifier the sum is smaller, and the bar as much lower as keeps the precision.
WITHOUT_VERIFIER = replace(BARS, verifier=0.0, agreed=0.0, flagged=1.3)
WITHOUT_GRAMMAR = replace(BARS, grammar=0.0)

_STATES = {Stance.SAYS: State.FLAGGED, Stance.DENIES: State.REJECTED, Stance.UNSURE: State.POSSIBLE}


def grammar_alone(answer: str, card: Card) -> tuple[Finding, ...]:
    """What the cues say, believed."""
    reading = read_answer(answer, card)
    findings: list[Finding] = []
    for point in card.key_points:
        said = first_saying(reading.key_points[point.id])
        span = reading.text.span(said.first, said.last) if said else (None, None)
        state = State.COVERED if said else State.NOT_FOUND
        findings.append(Finding(Kind.KEY_POINT, point.id, state, *span))
    for pitfall in card.pitfalls:
        last = last_word(reading.pitfalls[pitfall.id])
        span = reading.text.span(last.first, last.last) if last else (None, None)
        state = _STATES[last.stance] if last else State.NOT_FOUND
        findings.append(Finding(Kind.PITFALL, pitfall.id, state, *span))
    return tuple(findings)


def network_alone(answer: str, card: Card) -> tuple[Finding, ...]:
    """What the network says, believed from a probability of a half."""
    return by_chances(the_network().look(answer, claims_of(card)), card)


def by_chances(seen: dict[str, Sighting], card: Card) -> tuple[Finding, ...]:
    """Findings by probabilities alone: of two opposites the likelier, from a half."""
    findings: list[Finding] = []
    for point in card.key_points:
        sighting = seen.get(f"not {point.opposes}" if point.opposes else point.id, NOWHERE)
        state = State.COVERED if sighting.probability >= 0.5 else State.NOT_FOUND
        findings.append(Finding(Kind.KEY_POINT, point.id, state, sighting.start, sighting.end))
    for pitfall in card.pitfalls:
        says, denies = seen.get(pitfall.id, NOWHERE), seen.get(f"not {pitfall.id}", NOWHERE)
        likelier = max(says, denies, key=lambda sighting: sighting.probability)
        state = State.FLAGGED if likelier is says else State.REJECTED
        state = state if likelier.probability >= 0.5 else State.NOT_FOUND
        findings.append(Finding(Kind.PITFALL, pitfall.id, state, likelier.start, likelier.end))
    return tuple(findings)


def ngrams_alone() -> Checker:
    """Train the light design and believe it."""
    from tests.checking.training import ngrams

    model = ngrams.train()

    def checked(answer: str, card: Card) -> tuple[Finding, ...]:
        chances = ngrams.chances(model, answer).tolist()
        named = dict(zip(markup.LABELS, chances, strict=True))
        seen = {name: Sighting(named[mark], 0, len(answer)) for mark, name in _names()}
        return by_chances(seen, card)

    return checked


def _names() -> list[tuple[str, str]]:
    says = [(axis + "+", pitfall) for axis, (pitfall, _) in markup.AXES.items()]
    denies = [(axis + "-", f"not {pitfall}") for axis, (pitfall, _) in markup.AXES.items()]
    return says + denies + list(markup.POINTS.items())


def main() -> None:
    """Print each design's measures in one row."""
    designs = {"grammar alone": grammar_alone, "network alone": network_alone}
    designs |= {
        "network, grammar": partial(check, bars=WITHOUT_VERIFIER),
        "network, verifier": partial(check, bars=WITHOUT_GRAMMAR),
        "all three": check,
    }
    if "--ngrams" in sys.argv[1:]:
        designs["n-grams alone"] = ngrams_alone()
    card, answers = load(), unseen()
    for name, checker in designs.items():
        row = measures(judge(answers, card, checker), card)
        print(f"{name:18s}" + "  ".join(f"{measure.value:.3f}" for measure in row))


if __name__ == "__main__":
    main()
