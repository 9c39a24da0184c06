"""/api/v1/cards: the cards, as their author wrote them."""

from fastapi import APIRouter, HTTPException

from app.store import cards
from app.store.cards import StoredCard
from app.web.api import PREFIX, Shown, SlugInPath, problems
from app.web.deps import Reading

router = APIRouter(prefix=f"{PREFIX}/cards", tags=["cards"])


class ProseShape(Shown):
    """One passage, as plain text and as HTML that is safe to show."""

    text: str
    html: str


class TierShape(Shown):
    """An answer of a certain length; the deep tier's text is the four levels."""

    id: str
    title: str
    target_seconds: int
    asks: list[str]
    answer: ProseShape | None


class LevelShape(Shown):
    """What one level of seniority shows in the deep tier."""

    id: str
    body: ProseShape


class SectionShape(Shown):
    """One heading of the long explanation."""

    id: str
    heading: str
    body: ProseShape


class FollowUpShape(Shown):
    """A question that an interviewer asks next, with its answer."""

    id: str
    question: str
    answer: ProseShape


class KeyPointShape(Shown):
    """One thing that a full answer holds."""

    id: str
    point: str


class PitfallShape(Shown):
    """One thing that costs the question when it is said, and the ladder's rung that explains it."""

    id: str
    says: str
    why: str
    instead: str
    explained_in: str | None


class ClaimShape(Shown):
    """A claim of the card, the experiment that tries it, and the parts that make it."""

    id: str
    text: str
    experiment: str
    made_in: list[str]


class TopicShape(Shown):
    """What a card is filed under."""

    id: str
    title: str


class CardShape(Shown):
    """A whole card; `content_hash` names the version of the file that it came from."""

    slug: str
    title: str
    topic: TopicShape
    content_hash: str
    prompt: ProseShape
    five_lines: list[str]
    tiers: list[TierShape]
    levels: list[LevelShape]
    sections: list[SectionShape]
    follow_ups: list[FollowUpShape]
    picture: ProseShape
    key_points: list[KeyPointShape]
    pitfalls: list[PitfallShape]
    claims: list[ClaimShape]


class CardHead(Shown):
    """What a list tells of a card."""

    slug: str
    title: str
    topic: TopicShape
    content_hash: str
    prompt: ProseShape


class CardList(Shown):
    """Every card, by title."""

    cards: list[CardHead]


@router.get("", responses=problems())
def list_cards(session: Reading) -> CardList:
    """Every card, by title; their answers are one request further."""
    heads = [CardHead.model_validate(stored.card) for stored in cards.listed(session)]
    return CardList(cards=heads)


@router.get("/{slug}", responses=problems(404, 422))
def read_card(slug: SlugInPath, session: Reading) -> CardShape:
    """One card whole: its tiers, levels, explanation, follow-ups, key points and pitfalls."""
    return CardShape.model_validate(found(cards.find(session, slug), slug).card)


def found(stored: StoredCard | None, slug: str) -> StoredCard:
    """`stored`, or a 404 that says where the cards are listed."""
    if stored is None:
        raise HTTPException(404, f"There is no card {slug}: {PREFIX}/cards lists those there are.")
    return stored
