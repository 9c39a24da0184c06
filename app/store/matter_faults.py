"""What can be wrong with a card's front matter: ids given twice, and what is not there."""

from collections.abc import Collection, Iterator
from typing import get_args

from app.domain.card import LevelId, TierId
from app.domain.ladder import explaining
from app.store.card_parts import CardSource
from app.store.front_matter import FrontMatter, WrittenTier
from app.store.problems import Problem, twice


def in_matter(
    source: CardSource, matter: FrontMatter, topics: Collection[str], experiments: Collection[str]
) -> Iterator[Problem]:
    """Ids given twice, and topics, experiments, points and places that there are none of."""
    line = source.matter.line
    if matter.topic not in topics:
        yield line("topic"), f"topic {matter.topic!r} is none of {', '.join(topics)}"
    for name in ("key_points", "pitfalls", "claims"):
        ids = ((part.id, line(name, i)) for i, part in enumerate(getattr(matter, name)))
        yield from twice(f"{name} id", ids)
    for i, claim in enumerate(matter.claims):
        if claim.experiment not in experiments:
            message = f"experiment {claim.experiment!r} is none of {', '.join(experiments)}"
            yield line("claims", i, "experiment"), message
    yield from _in_tiers(source, matter)
    yield from _in_places(source, matter)


def _in_tiers(source: CardSource, matter: FrontMatter) -> Iterator[Problem]:
    """Points that a tier asks for twice, or that the card does not have."""
    points = {point.id for point in matter.key_points}
    for tier in get_args(TierId):
        written: WrittenTier = getattr(matter.tiers, tier)
        asks = [] if written.asks == "all" else written.asks
        asked = [(one, source.matter.line("tiers", tier, "asks", i)) for i, one in enumerate(asks)]
        yield from twice("key point", asked)
        for one, place in asked:
            if one not in points:
                yield place, f"there is no key point {one!r}"


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
