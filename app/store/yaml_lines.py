"""A piece of YAML in a card file, checked against a model, that knows its lines."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

import yaml
from pydantic import BaseModel, ValidationError
from yaml.reader import ReaderError

from app.store.problems import Problem, twice

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
        node, problems, written = _loaded(source, first_line)
    except (yaml.YAMLError, ValueError, RecursionError) as fault:
        return Written(None, (_unreadable(fault, source, first_line),), None, first_line)
    value = None
    try:
        value = kind.model_validate({} if written is None else written)
    except ValidationError as fault:
        problems += _problems(fault, node, first_line)
    return Written(None if problems else value, tuple(problems), node, first_line)


class _Loader(yaml.SafeLoader):
    """YAML's plain values, but no dates: a title that looks like one is a title."""

    yaml_implicit_resolvers: ClassVar = {
        first: [(tag, form) for tag, form in known if not tag.endswith(":timestamp")]
        for first, known in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


def _loaded(source: str, first_line: int) -> tuple[yaml.Node | None, list[Problem], Any]:
    """The YAML as nodes, the keys in it that are given twice, and as values."""
    loader: Any = _Loader(source)  # the stubs of PyYAML leave its types open
    node = loader.get_single_node()
    known_twice = list(_twice(node, first_line))  # making values puts merged keys into the nodes
    return node, known_twice, loader.construct_document(node) if node else None


def _twice(node: yaml.Node | None, first_line: int) -> Iterator[Problem]:
    """The keys given twice in one mapping, of which YAML would keep the last without a word."""
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _twice(item, first_line)
    if isinstance(node, yaml.MappingNode):
        keys = [key for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        yield from twice("key", ((key.value, first_line + key.start_mark.line) for key in keys))
        for _, value in node.value:
            yield from _twice(value, first_line)


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
        told = f"{where}: {error['msg']}" if where else "write lines `name: value` here"
        yield _line_of(node, error["loc"], first_line), told


def _unreadable(fault: Exception, source: str, first_line: int) -> Problem:
    """What YAML can't make out at all, and on which line, as far as it says."""
    if isinstance(fault, yaml.MarkedYAMLError) and fault.problem_mark:
        return first_line + fault.problem_mark.line, f"not valid YAML: {fault.problem}"
    if isinstance(fault, ReaderError):
        return first_line + source.count("\n", 0, fault.position), f"not valid YAML: {fault.reason}"
    return first_line, f"not valid YAML: {fault}"
