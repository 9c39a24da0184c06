"""The linter of card files: what the checker makes of each card's own words, by file and line."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from app.domain.card import Topic
from app.domain.checking.findings import Checker
from app.domain.checking.lint import Lint, lint
from app.store.card_faults import Fault
from app.store.card_file import TOPICS, read_source, read_topics
from app.store.card_parts import TIER_TITLES, CardSource, card_from


def lint_folder(folder: Path, checker: Checker) -> list[Fault]:
    """Every fault that `checker` shows in the cards of `folder`, which have no other faults."""
    topics = read_topics(folder / TOPICS)
    files = sorted(folder.glob("*.md"))
    return [fault for path in files for fault in _lint_file(path, topics, checker)]


def _lint_file(path: Path, topics: Mapping[str, Topic], checker: Checker) -> Sequence[Fault]:
    source, content_hash = read_source(path)
    found = lint(card_from(source, topics, content_hash), checker)
    return sorted((Fault(path, _line(source, one), one.message) for one in found), key=_place)


def _line(source: CardSource, found: Lint) -> int:
    """Where the passage is written."""
    return next(_lines(source, found), 1)


def _lines(source: CardSource, found: Lint) -> Iterator[int]:
    titles: dict[str, str] = {**TIER_TITLES}
    if found.part == "pitfall" and source.matter.value:
        for i, pitfall in enumerate(source.matter.value.pitfalls):
            if pitfall.id == found.id:
                yield source.matter.line("pitfalls", i, "instead")
    for part in source.parts("Follow-ups"):
        if found.part == "follow-up" and part.id == found.id:
            yield part.line
    for block in source.blocks:
        if found.part == "tier" and block.heading == titles.get(found.id):
            yield block.line


def _place(fault: Fault) -> tuple[int, str]:
    return fault.line, fault.message
