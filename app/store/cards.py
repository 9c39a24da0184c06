"""Cards in the database: kept as rows, read as values."""

from collections.abc import Collection
from dataclasses import dataclass, field

from pydantic import TypeAdapter
from sqlalchemy import Connection, Row, bindparam, select
from sqlalchemy.orm import Session

from app.domain.card import Card
from app.store.models import CardRow

_CARD: TypeAdapter[Card] = TypeAdapter(Card)
_KEPT = 256
# By row and content hash: a card never changes under its hash.
_parsed: dict[tuple[int, str], Card] = {}

_HEADS = select(CardRow.id, CardRow.slug, CardRow.content_hash)
_LISTED = _HEADS.where(CardRow.retired_at.is_(None)).order_by(CardRow.title)
# Every visit to a card asks this: made once, it takes half the time of one made anew.
_BY_SLUG = _HEADS.where(CardRow.retired_at.is_(None), CardRow.slug == bindparam("slug"))


@dataclass(frozen=True, slots=True)
class StoredCard:
    """A card and the row that what learners did refers to."""

    row_id: int
    slug: str
    content_hash: str
    card: Card = field(compare=False)  # what the hash names already


def find(session: Session | Connection, slug: str) -> StoredCard | None:
    """The card with this slug, unless it has been retired."""
    row = session.execute(_BY_SLUG, {"slug": slug}).one_or_none()
    return _stored(session, row) if row else None


def by_row_ids(session: Session, row_ids: Collection[int]) -> dict[int, StoredCard]:
    """The cards of these rows, retired or not: their attempts can still be read."""
    rows = session.execute(_HEADS.where(CardRow.id.in_(row_ids))).all()
    return {row[0]: _stored(session, row) for row in rows}


def listed(session: Session) -> list[StoredCard]:
    """Every card that is not retired, by title."""
    rows = session.execute(_LISTED).all()
    return [_stored(session, row) for row in rows]


def to_json(card: Card) -> dict[str, object]:
    """The card as the `body` column keeps it."""
    return _CARD.dump_python(card, mode="json")


def _stored(session: Session | Connection, head: Row[int, str, str]) -> StoredCard:
    row_id, slug, content_hash = head
    card = _parsed.get((row_id, content_hash))
    if card is None:
        body = session.scalars(select(CardRow.body).where(CardRow.id == row_id)).one()
        card = _CARD.validate_python(body)
        _keep((row_id, content_hash), card)
    return StoredCard(row_id, slug, content_hash, card)


def _keep(key: tuple[int, str], card: Card) -> None:
    if len(_parsed) >= _KEPT:
        _parsed.clear()
    _parsed[key] = card
