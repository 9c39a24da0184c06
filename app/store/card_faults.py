"""What can be wrong with a card file, found all at once, each fault with its line."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from app.domain.card import Concept, LevelId
from app.domain.checking.cues import CueError, compile_cue
from app.domain.ladder import explaining
from app.store import markdown
from app.store.card_parts import CardSource
from app.store.front_matter import Checking, FrontMatter, WrittenTier
from app.store.markdown import Block
from app.store.yaml_lines import Problem

Place = tuple[str | int, ...]
PARTED = ("Deep", "Explanation", "Follow-ups")


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
    problems += _in_headings(source, headings)
    problems += _in_parts(source)
    if source.matter.value and source.checking.value:
        problems += _in_matter(source, source.matter.value, topics, experiments)
        problems += _in_places(source, source.matter.value)
        problems += _in_checking(source, source.matter.value, source.checking.value)
    return [Fault(path, line, message) for line, message in sorted(problems)]


def _in_headings(source: CardSource, headings: Sequence[str]) -> Iterator[Problem]:
    known = {*headings, "Checking"}
    for name in headings:
        if source.block(name) is None:
            yield source.body_line, f"there is no '# {name}'"
    for block in source.blocks:
        if block.heading not in known:
            yield block.line, f"'# {block.heading}' is none of {', '.join(sorted(known))}"
        elif not block.tokens:
            yield block.line, f"'# {block.heading}' is empty"
    yield from _twice("heading", ((block.heading, block.line) for block in source.blocks))


def _in_parts(source: CardSource) -> Iterator[Problem]:
    for name in PARTED:
        parts, whole = source.parts(name), source.block(name)
        if whole and markdown.strays(whole.tokens, 2):
            yield whole.line, f"'# {name}' has text before its first ## part: move it into one"
        yield from (
            (part.line, f"'## {part.heading}' is empty") for part in parts if not part.tokens
        )
        if name == "Deep":
            yield from _in_levels(source, parts)
        else:
            yield from (
                (part.line, f"'## {part.heading}' needs an id of its own: add {{#some-id}}")
                for part in parts
                if part.id is None
            )
            yield from _twice("id", ((part.id, part.line) for part in parts if part.id))


def _in_levels(source: CardSource, parts: Sequence[Block]) -> Iterator[Problem]:
    wanted = list(get_args(LevelId))
    if (block := source.block("Deep")) and [part.heading.lower() for part in parts] != wanted:
        yield block.line, f"'# Deep' needs these ## parts, in this order: {', '.join(wanted)}"


def _in_matter(
    source: CardSource, matter: FrontMatter, topics: Collection[str], experiments: Collection[str]
) -> Iterator[Problem]:
    line = source.matter.line
    if matter.topic not in topics:
        yield line("topic"), f"topic {matter.topic!r} is none of {', '.join(topics)}"
    for name in ("key_points", "pitfalls", "claims"):
        ids = ((part.id, line(name, i)) for i, part in enumerate(getattr(matter, name)))
        yield from _twice(f"{name} id", ids)
    for i, claim in enumerate(matter.claims):
        if claim.experiment not in experiments:
            message = f"experiment {claim.experiment!r} is none of {', '.join(experiments)}"
            yield line("claims", i, "experiment"), message
    points = {point.id for point in matter.key_points}
    for tier in ("basics", "solid", "deep"):
        written: WrittenTier = getattr(matter.tiers, tier)
        asks = [] if written.asks == "all" else written.asks
        places = [line("tiers", tier, "asks", i) for i in range(len(asks))]
        yield from _twice("key point", zip(asks, places, strict=True))
        for asked, place in zip(asks, places, strict=True):
            if asked not in points:
                yield place, f"there is no key point {asked!r}"


def _in_places(source: CardSource, matter: FrontMatter) -> Iterator[Problem]:
    """What is said to be explained or claimed somewhere, and not in a place that there is."""
    follow_ups = [part.id for part in source.parts("Follow-ups") if part.id]
    rungs = explaining(get_args(LevelId), follow_ups)  # a level that lacks is told elsewhere
    for i, pitfall in enumerate(matter.pitfalls):
        if pitfall.explained_in and pitfall.explained_in not in rungs:
            place = source.matter.line("pitfalls", i, "explained_in")
            yield place, f"{pitfall.explained_in!r} is no rung; there are {', '.join(rungs)}"
    sections = [part.id for part in source.parts("Explanation") if part.id]
    for i, claim in enumerate(matter.claims):
        for j, made_in in enumerate(claim.made_in):
            if made_in not in (*rungs, *sections):
                there = f"neither a rung nor a section; there are {', '.join((*rungs, *sections))}"
                yield source.matter.line("claims", i, "made_in", j), f"{made_in!r} is {there}"


def _in_checking(source: CardSource, matter: FrontMatter, checking: Checking) -> Iterator[Problem]:
    line = source.checking.line
    pitfalls = {pitfall.id for pitfall in matter.pitfalls}
    for unknown in checking.key_points.keys() - {point.id for point in matter.key_points}:
        yield line("key_points", unknown), f"there is no key point {unknown!r}"
    for unknown in checking.pitfalls.keys() - pitfalls:
        yield line("pitfalls", unknown), f"there is no pitfall {unknown!r}"
    for name, signs in checking.key_points.items():
        if signs.opposes and signs.opposes not in pitfalls:
            yield line("key_points", name, "opposes"), f"there is no pitfall {signs.opposes!r}"
    yield from _in_cues(source, checking)


def _in_cues(source: CardSource, checking: Checking) -> Iterator[Problem]:
    """Cues that can't be read; where a concept can't be, the cues that name it would say it too."""
    concepts = tuple(Concept(name, tuple(words)) for name, words in checking.concepts.items())
    named = [(("concepts", name), f"{{{name}}}") for name in checking.concepts]
    problems = list(_unreadable(source, named, concepts))
    yield from problems or _unreadable(source, _cues(checking), concepts)


def _cues(checking: Checking) -> Iterator[tuple[Place, str]]:
    for kind in ("key_points", "pitfalls"):
        for ref, signs in getattr(checking, kind).items():
            for field in ("cues", "denials", "subject"):
                for i, cue in enumerate(getattr(signs, field, ())):
                    yield (kind, ref, field, i), cue


def _unreadable(
    source: CardSource, cues: Iterable[tuple[Place, str]], concepts: tuple[Concept, ...]
) -> Iterator[Problem]:
    for place, cue in cues:
        try:
            compile_cue(cue, concepts)
        except CueError as fault:
            yield source.checking.line(*place), str(fault)


def _twice(what: str, named: Iterable[tuple[str | None, int]]) -> Iterator[Problem]:
    seen: Counter[str | None] = Counter()
    for name, line in named:
        seen[name] += 1
        if seen[name] == 2:
            yield line, f"{what} {name!r} is given twice"
