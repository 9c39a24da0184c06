"""What the run's templates are given: the run in words, and what this learner may see and do."""

from typing import Any

from app.domain import guess as guessing
from app.domain.running import RunSource
from app.domain.wording import named, title_of
from app.runs.ledger import accounts
from app.runs.listing import Line
from app.runs.view import RunView
from app.store.models import Learner
from app.web.guess_words import asks_first, beside, found, late, matches, said
from kernels.lab import EXPERIMENTS
from kernels.lab.conclusion import Conclusion
from kernels.lab.evidence import Evidence

TROUBLES = {
    "no_gpu": "No GPU was found",
    "no_torch": "PyTorch is not installed here",
    "driver_too_old": "The GPU's driver is too old",
    "out_of_memory": "The GPU ran out of memory",
    "wrong_result": "The kernels gave wrong numbers",
    "device_silent": "The device does not answer",
}


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


def title(line: Line) -> str:
    """A run of a list, with its experiment."""
    experiment = EXPERIMENTS.get(line.run.experiment)
    name = experiment.title if experiment else line.run.experiment
    return f"{name}: {title_of(experiment, line.run.parameters)}"


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


def _accounts(view: RunView, evidence: Evidence | None) -> Any:
    """The ledger, which only the chain has, and only of its kernels."""
    if evidence is None or view.run.experiment != "chain" or not evidence.on_gpu:
        return ()
    return accounts(evidence)
