"""What can be wrong with what teaches the checker: ids of nothing, and cues that can't be read."""

from collections.abc import Iterable, Iterator

from app.domain.checking.cues import CueError, compile_cue
from app.domain.rubric import Concept
from app.store.card_parts import CardSource
from app.store.front_matter import Checking, FrontMatter
from app.store.problems import Problem

Place = tuple[str | int, ...]


def in_checking(source: CardSource, matter: FrontMatter, checking: Checking) -> Iterator[Problem]:
    """Points and pitfalls that the card does not have, and the cues that can't be read."""
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
