"""What is wrong in a file, and where."""

from collections import Counter
from collections.abc import Iterable, Iterator

Problem = tuple[int, str]  # line in the file, what is wrong there


def twice(what: str, named: Iterable[tuple[str | None, int]]) -> Iterator[Problem]:
    """A problem for each name that is given more than once, where it is given again."""
    seen: Counter[str | None] = Counter()
    for name, line in named:
        seen[name] += 1
        if seen[name] == 2:
            yield line, f"{what} {name!r} is given twice"
