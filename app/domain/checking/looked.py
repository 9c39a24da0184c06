"""An answer that grammar and network have looked at, and a finding made of what they saw."""

from dataclasses import dataclass

from app.domain.checking.findings import Finding, Kind, State
from app.domain.checking.grammar import Reading
from app.domain.checking.sighting import Sighting


@dataclass(frozen=True, slots=True)
class Looked:
    """An answer with what grammar and network saw in it."""

    answer: str
    reading: Reading
    seen: dict[str, Sighting]


def opposite(ref: str) -> str:
    """The name under which the network looks for what denies a pitfall."""
    return f"not {ref}"


def found(ref: str, state: State, signs: tuple[str, ...], span: tuple[int, int]) -> Finding:
    """The finding that the words of this span show: a point if it is covered, else a pitfall."""
    kind = Kind.KEY_POINT if state is State.COVERED else Kind.PITFALL
    return Finding(kind, ref, state, *span, signs)
