"""What an author may write as YAML.

In a card file two pieces: the front matter says what the card is, and the block
under `# Checking` teaches the checker to see its points in an answer. Beside the
cards one file of topics.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, PositiveInt, RootModel, StringConstraints

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=100)]
Id = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+([_-][a-z0-9]+)*$", max_length=100)]


class _Written(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class WrittenTier(_Written):
    """How long an answer of this tier may take, and which key points it owes."""

    seconds: PositiveInt
    asks: Annotated[list[Id], Field(min_length=1)] | Literal["all"]


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
    """How the checker sees a key point; the fields are those of `app.domain.rubric.KeyPoint`."""

    asserts: list[Words] = []
    cues: list[Words] = []
    opposes: Id | None = None


class PitfallSigns(_Written):
    """How the checker sees a pitfall; the fields are those of `app.domain.rubric.Pitfall`."""

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


class Topics(RootModel[Annotated[dict[Id, Words], Field(min_length=1)]]):
    """The file of topics: a line `topic: Its title` for each."""
