"""What the run's templates are given: the run in words, and what this learner may see and do."""

from dataclasses import dataclass
from typing import Any

from app.domain import guess as guessing
from app.domain.guess import Guess
from app.domain.running import RunSource
from app.domain.wording import named, title_of
from app.runs.ledger import accounts
from app.runs.listing import Line
from app.runs.view import RunView
from app.store.models import Learner
from app.web.facts import begun, within
from kernels.lab import EXPERIMENTS
from kernels.lab.conclusion import Answer, Conclusion
from kernels.lab.evidence import Evidence
from kernels.lab.experiment import Kind, Question

TROUBLES = {
    "no_gpu": "No GPU was found",
    "no_torch": "PyTorch is not installed here",
    "driver_too_old": "The GPU's driver is too old",
    "out_of_memory": "The GPU ran out of memory",
    "wrong_result": "The kernels gave wrong numbers",
    "device_silent": "The device does not answer",
}


@dataclass(frozen=True, slots=True)
class Match:
    """One item: its words, which option it was, and which the learner said (empty for none)."""

    item: str
    words: str
    was: str
    said: str
    same: bool


def shown(view: RunView, learner: Learner | None) -> dict[str, Any]:
    """The values of `_run.html`."""
    experiment = EXPERIMENTS.get(view.run.experiment)
    evidence, conclusion = view.evidence, view.conclusion
    guess = view.guesses.get(learner.id) if learner else None
    question = experiment.question if experiment else None
    return {
        "view": view,
        "run": view.run,
        "experiment": experiment,
        "title": title_of(experiment, view.run.parameters),
        "mine": learner is not None and view.run.learner_id == learner.id,
        "elsewhere": view.run.source is not RunSource.LIVE,
        "guess": guess,
        "said": said(question, guess),
        "late": late(guess),
        "question": question,
        "conclusion": conclusion,
        "to_match": asks_first(question, guess, conclusion),
        "sentence": sentence(view.run.source, conclusion, evidence),
        "beside": beside(question, guess, conclusion.answer) if conclusion else "",
        "found": found(question, conclusion.answer) if conclusion else "",
        "matches": matches(question, guess, conclusion.answer) if conclusion else (),
        "unit": guessing.UNITS.get(question.kind, "").strip() if question else "",
        "accounts": _accounts(view, evidence),
        "evidence": evidence,
        "trouble_title": TROUBLES.get(view.run.trouble_kind or ""),
    }


def asks_first(question: Question | None, guess: Guess | None, conclusion: object) -> bool:
    """Whether the learner is asked about what was found before it is shown."""
    asks = question is not None and question.kind is Kind.MATCH
    return asks and guess is None and conclusion is not None


def said(question: Question | None, guess: Guess | None) -> str:
    """What the learner said beforehand, in words; empty where there is nothing to tell."""
    if question is None or guess is None or question.kind is Kind.MATCH:
        return ""
    return guessing.in_words(question, guess)


def title(line: Line) -> str:
    """A run of a list, with its experiment."""
    experiment = EXPERIMENTS.get(line.run.experiment)
    name = experiment.title if experiment else line.run.experiment
    return f"{name}: {title_of(experiment, line.run.parameters)}"


def late(guess: Guess | None) -> str:
    """What to add to a guess of somebody who had been shown a result already."""
    return ", after you had seen a result" if guess and guess.after_seeing else ""


def sentence(
    source: RunSource, conclusion: Conclusion | None, evidence: Evidence | None
) -> str | None:
    """What was found, as the page begins; a device that is not this one is not called so."""
    if conclusion is None or evidence is None:
        return None
    name = evidence.device_name
    if source is RunSource.LIVE:
        return conclusion.sentence
    return conclusion.sentence.replace(f"this {name}", named(name))


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


def _accounts(view: RunView, evidence: Evidence | None) -> Any:
    """The ledger, which only the chain has, and only of its kernels."""
    if evidence is None or view.run.experiment != "chain" or not evidence.on_gpu:
        return ()
    return accounts(evidence)
