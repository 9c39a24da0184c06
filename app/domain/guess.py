"""What a learner says before seeing a result: read as it was typed, and told in words."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from kernels.lab.experiment import Kind, Question

UNITS = {Kind.FACTOR: "×", Kind.PERCENT: "\N{NO-BREAK SPACE}%"}
LIMITS = {Kind.FACTOR: (0.01, 1000.0), Kind.PERCENT: (-100.0, 1000.0)}
_EXAMPLES = {
    Kind.FACTOR: "Say the factor you expect as a number such as 2.5, or leave it out.",
    Kind.PERCENT: "Say the per cent you expect as a number such as 7.5, or leave it out.",
}
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)", re.ASCII)


class BadGuess(ValueError):
    """Something typed that is no answer to the question; the text says what would be one."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A range, one of the options, or one option for each of a run's items ({item: option}).

    Of the numbers there are both or neither: one number alone is a range of itself.
    `after_seeing` is one of somebody who had been shown a result of the same already.
    """

    low: float | None = None
    high: float | None = None
    choice: str | None = None
    matches: Mapping[str, str] | None = None
    after_seeing: bool = False


def read(question: Question, low: str = "", high: str = "", choice: str = "") -> Guess | None:
    """The guess in these fields of a form; None where nothing was said; BadGuess."""
    if question.kind is Kind.CHOICE:
        return _chosen(question, choice)
    if question.kind is Kind.MATCH:
        return None  # asked once the run has its items
    said = [_number(question.kind, text) for text in (low, high) if text.strip()]
    return Guess(min(said), max(said)) if said else None


def matched(question: Question, items: Mapping[str, str], said: Mapping[str, str]) -> Guess:
    """The options said for a run's items; items left out stay out. BadGuess for an unknown one."""
    options = question.options or {}
    kept = {item: said[item] for item in items if said.get(item)}
    if strangers := set(kept.values()) - set(options):
        raise BadGuess(f"There is no {min(strangers)!r} to choose: take what the page offers.")
    return Guess(matches=kept)


def in_words(question: Question, guess: Guess) -> str:
    """The guess as it is told: `2 to 2.5×`, `7 %`, `memory`."""
    if guess.low is not None and guess.high is not None:
        low, high = (f"{end:g}".replace("-", "−") for end in (guess.low, guess.high))
        unit = UNITS.get(question.kind, "")
        return f"{low}{unit}" if low == high else f"{low} to {high}{unit}"
    if guess.choice is not None:
        return (question.options or {}).get(guess.choice, guess.choice)
    return "nothing"


def told(kind: Kind, value: float) -> str:
    """A number that was worked out, in the unit of the question: `2.33×`; 0 without a sign."""
    digits = 0 if abs(value) >= 100 else 1 if kind is Kind.PERCENT else 2
    figure = f"{value:z,.{digits}f}".replace("-", "−")
    return f"{figure}{UNITS.get(kind, '')}"


def _chosen(question: Question, choice: str) -> Guess | None:
    if not choice:
        return None
    if choice not in (question.options or {}):
        raise BadGuess(f"There is no answer {choice!r}: choose one of those on the page.")
    return Guess(choice=choice)


def _number(kind: Kind, typed: str) -> float:
    """A number as people type it: 3, 2.5, 2,5×, −4 %."""
    text = typed.strip().replace("−", "-").rstrip("x×X% \u00a0")
    low, high = LIMITS[kind]
    if not _NUMBER.fullmatch(text):
        raise BadGuess(_EXAMPLES[kind])
    value = float(text.replace(",", "."))
    if not low <= value <= high:
        raise BadGuess(f"Say a number from {low:g} to {high:g}, or leave it out.")
    return value
