"""What a learner said of a run beforehand, in words, beside what was found."""

from dataclasses import dataclass

from app.domain import guess as guessing
from app.domain.guess import Guess
from app.web.facts import begun, within
from kernels.lab.conclusion import Answer
from kernels.lab.experiment import Kind, Question


@dataclass(frozen=True, slots=True)
class Match:
    """One item: its words, which option it was, and which the learner said (empty for none)."""

    item: str
    words: str
    was: str
    said: str
    same: bool


def asks_first(question: Question | None, guess: Guess | None, conclusion: object) -> bool:
    """Whether the learner is asked about what was found before it is shown."""
    asks = question is not None and question.kind is Kind.MATCH
    return asks and guess is None and conclusion is not None


def said(question: Question | None, guess: Guess | None) -> str:
    """What the learner said beforehand, in words; empty where there is nothing to tell."""
    if question is None or guess is None or question.kind is Kind.MATCH:
        return ""
    return guessing.in_words(question, guess)


def late(guess: Guess | None) -> str:
    """What to add to a guess of somebody who had been shown a result already."""
    return ", after you had seen a result" if guess and guess.after_seeing else ""


def beside(question: Question | None, guess: Guess | None, answer: Answer) -> str:
    """What theory says, or which option was found, and what the learner said of it."""
    kind = question.kind if question else Kind.FACTOR
    parts: list[str] = []
    if answer.predicted is not None:
        by = answer.predicted_by or "theory"
        many = by.endswith("s") and not by.endswith("'s")
        number = guessing.told(kind, answer.predicted)
        parts.append(f"{by} {'predict' if many else 'predicts'} {number}")
    if chosen := found(question, answer):
        parts.append(f"found: {within(chosen)}")
    if told := said(question, guess):
        parts.append(f"you said {within(told)}{late(guess)}")
    return f"{begun('; '.join(parts))}." if parts else ""


def found(question: Question | None, answer: Answer) -> str:
    """What came out of a question with options, in words."""
    if question is None or answer.choice is None:
        return ""
    return guessing.in_words(question, Guess(choice=answer.choice))


def matches(question: Question | None, guess: Guess | None, answer: Answer) -> tuple[Match, ...]:
    """Every item of a run that asks which is which."""
    options = (question.options if question else None) or {}
    said = (guess.matches if guess else None) or {}
    words, was = dict(answer.items), dict(answer.matches)
    return tuple(
        Match(
            item,
            words.get(item, ""),
            was=options.get(option, option),
            said=options.get(said.get(item, ""), ""),
            same=said.get(item) == option,
        )
        for item, option in was.items()
    )
