"""The card that an address asks for, and what of it: else the address leads nowhere."""

from fastapi import HTTPException
from sqlalchemy import Connection
from sqlalchemy.orm import Session

from app.domain import ladder
from app.store import attempts, cards
from app.store.cards import StoredCard
from app.store.models import Attempt
from app.web.practice_view import current


def card_at(session: Session | Connection, slug: str) -> StoredCard:
    """The card at this address; 404 where there is none."""
    stored = cards.find(session, slug)
    if stored is None:
        raise HTTPException(404, "There is no such question: the home page lists those there are.")
    return stored


def parts_of(stored: StoredCard, asked: list[str]) -> list[str]:
    """The parts asked for, each once, in the ladder's order; 404 for one that is not there."""
    if not asked:
        return []
    known = [rung.id for rung in ladder.rungs(stored.card)]
    if strangers := set(asked) - set(known):
        raise HTTPException(404, f"This question has no part {min(strangers)!r} to open.")
    return [part for part in known if part in asked]


def current_attempt(
    session: Session, learner_id: int, stored: StoredCard, *, again: bool
) -> Attempt | None:
    """The attempt that the card's page is about; `again` puts one that was handed in aside."""
    return current(attempts.latest(session, learner_id, stored.row_id), again=again)
