"""The attempt that a route is about: the learner's own, else the address leads nowhere."""

from collections.abc import Iterable
from typing import Annotated

from fastapi import Depends, Form, HTTPException, Path, Request
from sqlalchemy.orm import Session

from app.domain.card import Card
from app.store import attempts, cards, learners
from app.store.models import Attempt
from app.web.deps import Changing, Reading

LARGEST_ID = 2**31 - 1  # what an id's column holds on PostgreSQL
NOT_YOURS = "There is no such attempt of yours: the history lists those there are."
NOT_KNOWN = (
    "This browser has no learner's cookie any more, so nothing was done: "
    "copy your text if you need it, then open the question again."
)

Id = Annotated[int, Path(ge=1, le=LARGEST_ID)]


def _to_read(request: Request, attempt_id: Id, session: Reading) -> Attempt:
    return _own(request, session, attempt_id, lock=False)


def _to_change(request: Request, attempt_id: Id, session: Changing) -> Attempt:
    return _own(request, session, attempt_id, lock=True)


def _own(request: Request, session: Session, attempt_id: int, *, lock: bool) -> Attempt:
    learner = learners.by_key(session, request.session.get("learner"))
    if learner is None:
        raise HTTPException(404, NOT_KNOWN if lock else NOT_YOURS)
    attempt = attempts.own(session, learner.id, attempt_id, lock=lock)
    if attempt is None:
        raise HTTPException(404, NOT_YOURS)
    return attempt


OwnAttempt = Annotated[Attempt, Depends(_to_read, scope="function")]
"""The attempt in the address, in the route's Reading session."""

OwnAttemptToChange = Annotated[Attempt, Depends(_to_change, scope="function")]
"""The attempt in the address, in the route's Changing session, held until it commits."""


FromRecord = Annotated[bool, Form()]
"""Whether the form stood on the attempt's own page, which is then where to go back to."""


def address_of(attempt: Attempt, card: Card, fragment: str, *, from_record: bool) -> str:
    """Where to go back to from a form on an attempt: its own page, else its card's."""
    page = f"/attempts/{attempt.id}" if from_record else f"/questions/{card.slug}"
    return f"{page}#{fragment}"


def card_of(session: Session, attempt: Attempt) -> Card:
    """The card that this attempt is at, retired or not."""
    return cards_of(session, [attempt])[attempt.card_id]


def cards_of(session: Session, shown: Iterable[Attempt]) -> dict[int, Card]:
    """The cards that these attempts are at, retired or not, by their row: one query for all."""
    found = cards.by_row_ids(session, {attempt.card_id for attempt in shown})
    return {row_id: stored.card for row_id, stored in found.items()}
