"""/api/v1/experiments: what can be run, what can be chosen, and what is asked beforehand."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from app.web.api import PREFIX, Shown, problems
from kernels.lab import EXPERIMENTS
from kernels.lab.experiment import Experiment, Kind

router = APIRouter(prefix=f"{PREFIX}/experiments", tags=["runs"])

Options = Annotated[dict[str, str], Field(description="{value: words}, the first by default.")]


class QuestionShape(Shown):
    """What you are asked before you see the result."""

    text: str
    kind: Kind
    options: Options | None


class ParameterShape(Shown):
    """One thing that can be chosen."""

    title: str
    choices: Options


class ExperimentShape(Shown):
    """One experiment of the lab."""

    name: str
    title: str
    claim: str
    shown: Annotated[str, Field(description="What is run, and what a run shows.")]
    question: QuestionShape
    parameters: dict[str, ParameterShape]
    no_cpu: Annotated[str | None, Field(description="Why there is no edition for a processor.")]


class ExperimentsShape(Shown):
    """All experiments, in the order of the site."""

    experiments: list[ExperimentShape]


@router.get("", responses=problems())
async def list_experiments() -> ExperimentsShape:
    """The experiments that there are."""
    return ExperimentsShape(experiments=[_shape(one) for one in EXPERIMENTS.values()])


def _shape(experiment: Experiment) -> ExperimentShape:
    return ExperimentShape.model_validate(experiment)
