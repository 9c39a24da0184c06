"""The YAML in a card file, checked, with the line of every fault.

Two pieces: the front matter says what the card is, and the block under
`# Checking` teaches the checker to see its points in an answer. The models say
what an author may write; `read` finds the line of a fault in what was written.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Generic, Literal, TypeVar, cast

import yaml
from pydantic import BaseModel, ConfigDict, Field, PositiveInt, StringConstraints, ValidationError

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=100)]
Id = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+([_-][a-z0-9]+)*$", max_length=100)]
Problem = tuple[int, str]  # line in the file, what is wrong there


class _Written(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


Piece = TypeVar("Piece", bound=_Written)


class WrittenTier(_Written):
    """How long an answer of this tier may take, and which key points it owes."""

    seconds: PositiveInt
    asks: list[Id] | Literal["all"]


class WrittenTiers(_Written):
    """The three tiers that every card has."""

    basics: WrittenTier
    solid: WrittenTier
    deep: WrittenTier


class WrittenKeyPoint(_Written):
    """A key point: what a full answer contains, and how its lack is told."""

    id: Id
    point: Words
    left_out: Words | None = None


class WrittenPitfall(_Written):
    """A pitfall, why it costs the question, what to say instead, and the rung that explains it."""

    id: Id
    says: Words
    why: Words
    instead: Words
    explained_in: Id | None = None


class WrittenClaim(_Written):
    """A quantitative claim, the experiment that tries it, and where in the card it is made."""

    id: Id
    text: Words
    experiment: Id
    made_in: list[Id] = []


class FrontMatter(_Written):
    """All that stands between the two `---` lines."""

    slug: Slug
    title: Words
    topic: Id
    tiers: WrittenTiers
    key_points: Annotated[list[WrittenKeyPoint], Field(min_length=1)]
    pitfalls: Annotated[list[WrittenPitfall], Field(min_length=1)]
    claims: list[WrittenClaim] = []


class KeyPointSigns(_Written):
    """How the checker sees a key point; the fields are those of `app.domain.card.KeyPoint`."""

    asserts: list[Words] = []
    cues: list[Words] = []
    opposes: Id | None = None


class PitfallSigns(_Written):
    """How the checker sees a pitfall; the fields are those of `app.domain.card.Pitfall`."""

    asserts: list[Words] = []
    rejects: list[Words] = []
    cues: list[Words] = []
    denials: list[Words] = []
    subject: list[Words] = []


class Checking(_Written):
    """The block under `# Checking`, by the ids of the front matter."""

    concepts: dict[Id, Annotated[list[Words], Field(min_length=1)]] = {}
    key_points: dict[Id, KeyPointSigns] = {}
    pitfalls: dict[Id, PitfallSigns] = {}


@dataclass(frozen=True)
class Written(Generic[Piece]):
    """A piece of YAML as read: its value unless there are problems, and where its parts stand."""

    value: Piece | None
    problems: tuple[Problem, ...]
    node: yaml.Node | None
    first_line: int

    def line(self, *path: str | int) -> int:
        """The line in the file where the value at `path` is written, or its nearest parent is."""
        return line_of(self.node, path, self.first_line)


def read(kind: type[Piece], source: str, first_line: int) -> Written[Piece]:
    """Check a piece of YAML that begins on `first_line` of its file."""
    try:
        node = _compose(source)
        written = yaml.safe_load(source)
    except yaml.MarkedYAMLError as fault:
        return Written(None, (_yaml_problem(fault, first_line),), None, first_line)
    try:
        return Written(kind.model_validate(written or {}), (), node, first_line)
    except ValidationError as fault:
        return Written(None, tuple(_problems(fault, node, first_line)), node, first_line)


def _compose(source: str) -> yaml.Node | None:
    # The stubs of PyYAML leave the type of a stream open.
    compose = cast(Callable[..., yaml.Node | None], yaml.compose)  # pyright: ignore[reportUnknownMemberType]
    return compose(source, Loader=yaml.SafeLoader)


def line_of(node: yaml.Node | None, path: Sequence[str | int], first_line: int) -> int:
    """The line on which the value at `path` is written, or its nearest parent that is."""
    line = node.start_mark.line if node else 0
    for step in path:
        node = _child(node, step)
        if node is None:
            break
        line = node.start_mark.line
    return first_line + line


def _child(node: yaml.Node | None, step: str | int) -> yaml.Node | None:
    if isinstance(node, yaml.MappingNode):
        return next((value for key, value in node.value if key.value == step), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step]
    return None


def _problems(fault: ValidationError, node: yaml.Node | None, first_line: int) -> Iterator[Problem]:
    for error in fault.errors():
        where = ".".join(str(step) for step in error["loc"])
        yield line_of(node, error["loc"], first_line), f"{where}: {error['msg']}"


def _yaml_problem(fault: yaml.MarkedYAMLError, first_line: int) -> Problem:
    line = fault.problem_mark.line if fault.problem_mark else 0
    return first_line + line, f"not valid YAML: {fault.problem}"
