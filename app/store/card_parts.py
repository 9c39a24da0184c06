"""From the checked pieces of a card file to the card."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import cast, get_args

from app.domain.card import (
    Card,
    Claim,
    FollowUp,
    Level,
    LevelId,
    Prose,
    Section,
    Tier,
    TierId,
    Topic,
)
from app.domain.rubric import Concept, KeyPoint, Pitfall
from app.store import markdown
from app.store.front_matter import Checking, FrontMatter, KeyPointSigns, PitfallSigns
from app.store.markdown import Block
from app.store.yaml_lines import Written

TIER_TITLES: dict[TierId, str] = {"basics": "Basics", "solid": "Solid", "deep": "Deep"}


@dataclass(frozen=True, slots=True)
class CardSource:
    """A card file cut into its pieces, each of which knows its lines."""

    matter: Written[FrontMatter]
    checking: Written[Checking]
    blocks: tuple[Block, ...]
    body_line: int

    def block(self, heading: str) -> Block | None:
        """The part of the body under `# heading`."""
        return next((block for block in self.blocks if block.heading == heading), None)

    def parts(self, heading: str) -> tuple[Block, ...]:
        """The `##` parts under `# heading`."""
        block = self.block(heading)
        return tuple(markdown.blocks(block.tokens, 2, self.body_line)) if block else ()


def card_from(source: CardSource, topics: Mapping[str, Topic], content_hash: str) -> Card:
    """The card of a file in which no fault was found."""
    matter, checking = _values(source)
    body = {block.heading: block for block in source.blocks}
    concepts = checking.concepts.items()
    return Card(
        slug=matter.slug,
        title=matter.title,
        topic=topics[matter.topic],
        prompt=body["Prompt"].prose,
        five_lines=markdown.list_items(body["Five lines"]),
        tiers=tuple(_tiers(matter, body)),
        levels=tuple(_level(part) for part in source.parts("Deep")),
        sections=tuple(Section(*_named(part)) for part in source.parts("Explanation")),
        follow_ups=tuple(FollowUp(*_named(part)) for part in source.parts("Follow-ups")),
        picture=body["Picture"].prose,
        key_points=tuple(_key_points(matter, checking)),
        pitfalls=tuple(_pitfalls(matter, checking)),
        claims=tuple(Claim(c.id, c.text, c.experiment, tuple(c.made_in)) for c in matter.claims),
        content_hash=content_hash,
        concepts=tuple(Concept(name, tuple(phrases)) for name, phrases in concepts),
    )


def _values(source: CardSource) -> tuple[FrontMatter, Checking]:
    """What a file without faults has."""
    return cast(FrontMatter, source.matter.value), cast(Checking, source.checking.value)


def _level(part: Block) -> Level:
    return Level(cast(LevelId, part.heading.lower()), part.prose)


def _named(part: Block) -> tuple[str, str, Prose]:
    return str(part.id), part.heading, part.prose


def _tiers(matter: FrontMatter, body: dict[str, Block]) -> Iterable[Tier]:
    everything = tuple(point.id for point in matter.key_points)
    for tier_id in get_args(TierId):
        written = getattr(matter.tiers, tier_id)
        title = TIER_TITLES[tier_id]
        yield Tier(
            id=tier_id,
            title=title,
            target_seconds=written.seconds,
            asks=everything if written.asks == "all" else tuple(written.asks),
            answer=None if tier_id == "deep" else body[title].prose,
        )


def _key_points(matter: FrontMatter, checking: Checking) -> Iterable[KeyPoint]:
    for point in matter.key_points:
        signs = checking.key_points.get(point.id, KeyPointSigns())
        yield KeyPoint(
            id=point.id,
            point=point.point,
            asserts=tuple(signs.asserts),
            cues=tuple(signs.cues),
            opposes=signs.opposes,
            left_out=point.left_out,
        )


def _pitfalls(matter: FrontMatter, checking: Checking) -> Iterable[Pitfall]:
    for pitfall in matter.pitfalls:
        signs = checking.pitfalls.get(pitfall.id, PitfallSigns())
        yield Pitfall(
            id=pitfall.id,
            says=pitfall.says,
            why=pitfall.why,
            instead=pitfall.instead,
            explained_in=pitfall.explained_in,
            asserts=tuple(signs.asserts),
            rejects=tuple(signs.rejects),
            cues=tuple(signs.cues),
            denials=tuple(signs.denials),
            subject=tuple(signs.subject),
        )
