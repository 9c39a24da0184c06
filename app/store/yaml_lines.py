"""A piece of YAML in a card file, checked against a model, that knows its lines."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

import yaml
from pydantic import BaseModel, ValidationError

Problem = tuple[int, str]  # line in the file, what is wrong there
Piece = TypeVar("Piece", bound=BaseModel)


@dataclass(frozen=True)
class Written(Generic[Piece]):
    """A piece of YAML as read: its value unless there are problems, and where its parts stand."""

    value: Piece | None
    problems: tuple[Problem, ...]
    node: yaml.Node | None
    first_line: int

    def line(self, *path: str | int) -> int:
        """The line in the file where the value at `path` is written, or its nearest parent is."""
        return _line_of(self.node, path, self.first_line)


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


def _line_of(node: yaml.Node | None, path: Sequence[str | int], first_line: int) -> int:
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
        yield _line_of(node, error["loc"], first_line), f"{where}: {error['msg']}"


def _yaml_problem(fault: yaml.MarkedYAMLError, first_line: int) -> Problem:
    line = fault.problem_mark.line if fault.problem_mark else 0
    return first_line + line, f"not valid YAML: {fault.problem}"
