"""What is said of a run: a sentence, what it means for the claim, numbers, pictures, tables."""

from dataclasses import dataclass
from enum import StrEnum

from kernels.lab.pictures import Bars, Plot, Table


class Outcome(StrEnum):
    """What the run means for the claim."""

    HOLDS = "the claim holds here"
    FAILS = "the claim does not hold here"
    UNDECIDED = "this run cannot decide the claim"


@dataclass(frozen=True, slots=True)
class Number:
    """A number that was worked out: as shown, with its unit, its formula and what went into it."""

    name: str
    value: float
    shown: str
    formula: str
    inputs: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What the learner's expectation is held against, in the unit of the question.

    `predicted` is what theory says (bytes, Amdahl); [low, high] is how well the measurement is
    known: a bootstrap interval, as `interval` says. [p10, p90] is how much it scatters from
    round to round, None where rounds can't be told.
    A question with options has `choice` instead of numbers; one that matches options with items
    has `matches`: {item: option}, and the items in words; `given` says what there is to go by
    besides them.
    """

    measured: float | None = None
    low: float | None = None
    high: float | None = None
    interval: str = ""
    predicted: float | None = None
    predicted_by: str = ""
    choice: str | None = None
    matches: tuple[tuple[str, str], ...] = ()
    items: tuple[tuple[str, str], ...] = ()
    given: str = ""
    p10: float | None = None
    p90: float | None = None


@dataclass(frozen=True, slots=True)
class Amdahl:
    """For the slider: the chain's share of a step (0 to 1) and how many times faster it gets."""

    share: float
    speedup: float


@dataclass(frozen=True, slots=True)
class Conclusion:
    """Everything that a run's page says of its result, worked out from its samples.

    `sentence` is whole and names the device; `evidence` is the short form for a line on a
    card ('7/3 = 2.33× by bytes; 2.29× measured'). Suspects are sentences on what makes the
    numbers doubtful; notes say where and why a model breaks.
    """

    sentence: str
    outcome: Outcome
    evidence: str
    answer: Answer
    numbers: tuple[Number, ...] = ()
    pictures: tuple[Bars | Plot, ...] = ()
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()
    suspects: tuple[str, ...] = ()
    amdahl: Amdahl | None = None
