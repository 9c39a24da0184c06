"""What is wrong with a card file: found all at once, each fault with its line."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.store.body_faults import in_body
from app.store.card_parts import CardSource
from app.store.checking_faults import in_checking
from app.store.matter_faults import in_matter


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a card file; reads `file:line: message`."""

    path: Path
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


class CardFileError(ValueError):
    """A card file that can't be imported; `faults` say why, a line each."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = tuple(faults)


def faults_in(
    path: Path,
    source: CardSource,
    headings: Sequence[str],
    *,
    topics: Collection[str],
    experiments: Collection[str],
) -> list[Fault]:
    """Every fault of the card in `source`, in the order of the file."""
    problems = [*source.matter.problems, *source.checking.problems]
    problems += in_body(source, headings)
    if source.matter.value and source.checking.value:
        problems += in_matter(source, source.matter.value, topics, experiments)
        problems += in_checking(source, source.matter.value, source.checking.value)
    return [Fault(path, line, message) for line, message in sorted(problems)]
