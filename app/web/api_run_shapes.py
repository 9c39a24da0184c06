"""The body that asks for a run, described for each experiment with what it offers and asks."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from app.domain.guess import LIMITS, BadGuess, Guess, read
from app.domain.running import RunDevice
from app.web.api import WITHOUT_NUL, Sent
from kernels.lab import EXPERIMENTS
from kernels.lab.experiment import Experiment, Kind, Question

Schema = dict[str, Any]


class Expectation(BaseModel):
    """What you expect, by the experiment's question: a range in its unit, or one of its options.

    Of `low` and `high` one alone is a range of itself.
    """

    model_config = ConfigDict(extra="forbid", strict=True, from_attributes=True)

    low: Annotated[float | None, Field(ge=-100, le=1000, allow_inf_nan=False)] = None
    high: Annotated[float | None, Field(ge=-100, le=1000, allow_inf_nan=False)] = None
    choice: Annotated[str | None, Field(max_length=100, pattern=WITHOUT_NUL)] = None


def _by_experiment(schema: Schema) -> None:
    """One shape for each experiment, in place of one that fits them all and tells of none."""
    told = {name: schema[name] for name in ("title", "description") if name in schema}
    schema.clear()
    schema.update(told | {"oneOf": [_shape(one) for one in EXPERIMENTS.values()]})


class RunAsked(Sent):
    """What to run; a parameter left out takes the first of its choices."""

    model_config = ConfigDict(json_schema_extra=_by_experiment)

    experiment: str
    parameters: Annotated[dict[str, str], Field(default_factory=dict)]
    device: Annotated[RunDevice, Field(strict=False)] = RunDevice.GPU
    expectation: Expectation | None = None


def guess_in(asked: RunAsked) -> Guess | None:
    """The expectation as a form of the pages would have it; BadGuess where it doesn't fit."""
    said = asked.expectation
    if said is None or asked.experiment not in EXPERIMENTS:
        return None
    question = EXPERIMENTS[asked.experiment].question
    given = {name for name in ("low", "high", "choice") if getattr(said, name) is not None}
    if strange := given - set(_asked(question)):
        told = ", ".join(_asked(question)) or "nothing before the run"
        raise BadGuess(f"This experiment asks for {told}, not for {min(strange)}.")
    low, high = ("" if number is None else f"{number:.12f}" for number in (said.low, said.high))
    return read(question, low, high, said.choice or "")


def _shape(experiment: Experiment) -> Schema:
    devices = [one.value for one in RunDevice if not (one is RunDevice.CPU and experiment.no_cpu)]
    parameters = {
        name: {"title": one.title, "enum": list(one.choices), "default": one.default}
        for name, one in experiment.parameters.items()
    }
    expectation = _object(_asked(experiment.question), experiment.question.text)
    return {
        **_object(
            {
                "experiment": {"const": experiment.name},
                "parameters": _object(parameters),
                "device": {"enum": devices, "default": devices[0]},
                "expectation": {"anyOf": [expectation, {"type": "null"}]},
            },
            experiment.claim,
        ),
        "title": experiment.title,
        "required": ["experiment"],
    }


def _asked(question: Question) -> Schema:
    """What an expectation may hold, by the kind of the question."""
    if question.kind is Kind.CHOICE:
        return {"choice": {"enum": [*(question.options or {}), None]}}
    if question.kind is Kind.MATCH:
        return {}
    low, high = LIMITS[question.kind]
    number = {"type": ["number", "null"], "minimum": low, "maximum": high}
    return {"low": number, "high": number}


def _object(properties: Schema, description: str | None = None) -> Schema:
    told = {"description": description} if description else {}
    return {"type": "object", "additionalProperties": False, "properties": properties, **told}
