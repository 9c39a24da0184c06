"""The ladder as a card's page shows it: each rung open, or with the address that opens it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from app.domain import ladder
from app.domain.card import Card
from app.store.models import Attempt, Reveal


@dataclass(frozen=True, slots=True)
class RungView:
    """A rung of the ladder: open, or with the address that opens it."""

    rung: ladder.Rung
    opened: bool
    address: str
    tried: str | None  # what was tried before a follow-up's answer is shown; empty: said aloud


def rungs_shown(
    slug: str,
    card: Card,
    attempt: Attempt | None,
    reveals: Mapping[str, Reveal],
    asked: Collection[str],
    *,
    again: bool,
) -> tuple[RungView, ...]:
    """Every rung, with `asked` open, and in an attempt whatever was opened in it."""
    opened = {*asked, *(reveals if attempt else ())}
    # Outside an attempt nothing but the address says what is open, so each link carries it.
    carried = [] if attempt else [("again", "1")] * again + [("open", part) for part in asked]
    return tuple(
        RungView(
            rung,
            rung.id in opened,
            f"/questions/{slug}?{urlencode([*carried, ('open', rung.id)])}",
            reveals[rung.id].tried if rung.id in reveals else None,
        )
        for rung in ladder.rungs(card)
    )


def opened_labels(card: Card, reveals: Mapping[str, Reveal]) -> list[tuple[str, Reveal]]:
    """What was opened, by the names that the ladder gives it, in the order of opening."""
    labels = {rung.id: rung.label for rung in ladder.rungs(card)}
    return [(labels.get(part, part), reveal) for part, reveal in reveals.items()]
