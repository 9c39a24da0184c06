"""What an experiment is: the claim it tries, what can be chosen, what is asked beforehand."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from kernels.lab.conclusion import Conclusion
from kernels.lab.evidence import Evidence

DEVICES = ("cuda", "cpu")


class Kind(StrEnum):
    """What an expectation is said as."""

    FACTOR = "factor"  # times faster: a range such as 2 to 2.5
    PERCENT = "percent"  # of a time: a range such as 5 to 12
    CHOICE = "choice"  # one of the options
    MATCH = "match"  # one of the options for each of the items that the run then shows


@dataclass(frozen=True, slots=True)
class Question:
    """What the learner says before seeing the result; options are {value: words}."""

    text: str
    kind: Kind = Kind.FACTOR
    options: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Parameter:
    """One thing that can be chosen: {value: words}, the first being the default."""

    title: str
    choices: Mapping[str, str]

    @property
    def default(self) -> str:
        """The choice made where none is."""
        return next(iter(self.choices))


MODE = Parameter("Length", {"quick": "quick, some 20 s", "full": "full, up to 3 minutes"})
DTYPE = Parameter("Number format", {"bf16": "bfloat16", "fp16": "float16", "fp32": "float32"})


@dataclass(frozen=True, slots=True)
class Experiment:
    """One experiment. `conclude` works out everything that is said of a run from its events.

    `no_cpu` says why there is no edition for a processor; None where there is one. What that
    edition can't vary stands in `on_cpu` ({parameter: value}) and holds whatever is asked.
    `shown` says in a sentence or two what is run and what the page will show.
    """

    name: str
    title: str
    claim: str
    shown: str
    question: Question
    parameters: Mapping[str, Parameter]
    conclude: Callable[[Evidence], Conclusion]
    no_cpu: str | None = None
    on_cpu: Mapping[str, str] = field(default_factory=dict[str, str])

    def asked(self, device: str, given: Mapping[str, str]) -> "Asked":
        """The run with these choices and the defaults of the rest.

        ValueError, in one sentence, for a choice that there is not.
        """
        _one_of("device", device, DEVICES)
        if device == "cpu" and self.no_cpu:
            raise ValueError(self.no_cpu)
        for name in given:
            _one_of("parameter", name, tuple(self.parameters))
        chosen = {name: given.get(name, p.default) for name, p in self.parameters.items()}
        for name, value in chosen.items():
            _one_of(name, value, tuple(self.parameters[name].choices))
        return Asked(self.name, device, chosen | (self.on_cpu if device == "cpu" else {}))


@dataclass(frozen=True, slots=True)
class Asked:
    """One run as it was asked for."""

    experiment: str
    device: str
    parameters: Mapping[str, str]

    @property
    def quick(self) -> bool:
        """Whether it should end within some 20 seconds."""
        return self.parameters.get("mode") == "quick"

    def arguments(self) -> list[str]:
        """The command line of `python -m kernels.bench` that makes this run."""
        chosen = [word for name, value in self.parameters.items() for word in (f"--{name}", value)]
        return [self.experiment, *chosen, "--device", self.device]


def _one_of(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, not {value!r}")
