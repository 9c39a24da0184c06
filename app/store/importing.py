"""Import the card files of a folder: all of them in one transaction, or none."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.card import Card
from app.store import turns
from app.store.card_faults import CardFileError, Fault
from app.store.card_file import TOPICS, read_card, read_topics
from app.store.cards import to_json
from app.store.models import CardRow
from app.store.turns import Turn
from kernels.lab import EXPERIMENTS


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did, by slug."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    unchanged: tuple[str, ...]
    retired: tuple[str, ...]


def read_folder(folder: Path) -> list[Card]:
    """Every card file in `folder`; raises one CardFileError with the faults of all of them."""
    topics = read_topics(folder / TOPICS)
    cards: dict[str, Card] = {}
    faults: list[Fault] = []
    for path in sorted(folder.glob("*.md")):
        try:
            card = read_card(path, topics=topics, experiments=tuple(EXPERIMENTS))
        except CardFileError as fault:
            faults += fault.faults
            continue
        if card.slug in cards:
            faults.append(Fault(path, 1, f"slug {card.slug!r} is another card's too"))
        cards[card.slug] = card
    if faults:
        raise CardFileError(faults)
    return list(cards.values())


def import_cards(session: Session, cards: Sequence[Card], now: datetime) -> Imported:
    """Make the database hold exactly these cards; the caller commits.

    A card keeps its row, so attempts, reveals and findings stay with it. A card
    whose file is gone is retired, not deleted, and comes back with its file.
    """
    turns.take(session, Turn.CONTENT)
    rows = {row.slug: row for row in session.scalars(select(CardRow))}
    done: dict[str, list[str]] = {"added": [], "changed": [], "unchanged": [], "retired": []}
    for card in cards:
        done[_import_one(session, card, rows.get(card.slug), now)].append(card.slug)
    for slug in rows.keys() - {card.slug for card in cards}:
        if rows[slug].retired_at is None:
            rows[slug].retired_at = now
            done["retired"].append(slug)
    session.flush()
    return Imported(**{what: tuple(slugs) for what, slugs in done.items()})


def _import_one(session: Session, card: Card, row: CardRow | None, now: datetime) -> str:
    body = to_json(card)
    if row is None:
        session.add(
            CardRow(
                slug=card.slug,
                title=card.title,
                topic=card.topic.id,
                content_hash=card.content_hash,
                body=body,
                imported_at=now,
            )
        )
        return "added"
    if row.body == body and row.retired_at is None:
        return "unchanged"
    row.title, row.topic, row.content_hash = card.title, card.topic.id, card.content_hash
    row.body, row.imported_at, row.retired_at = body, now, None
    return "changed"
