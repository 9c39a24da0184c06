"""The home page: the cards by topic, where one stands on each, and what comes next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from operator import attrgetter

from fastapi import APIRouter, Request, Response
from sqlalchemy.orm import Session

from app.domain.standing import TIERS, Standing, next_to_practise
from app.store import cards, standings
from app.store.cards import StoredCard
from app.store.models import Learner
from app.web.deps import KnownLearner, Now, Reading
from app.web.pages import page

router = APIRouter(include_in_schema=False)

A_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class CardLine:
    """One card on the home page."""

    stored: StoredCard
    standing: Standing

    @property
    def address(self) -> str:
        """Where it is practised; an answer whose check has been shown is put aside there."""
        last, answering = self.standing.last, self.standing.answering
        again = "?again=1" if last and last.tripped is not None and not answering else ""
        return f"/questions/{self.stored.slug}{again}"


@router.get("/")
def home(request: Request, session: Reading, learner: KnownLearner, now: Now) -> Response:
    """The cards, grouped by topic in the order of the topics' file."""
    lines = _lines(session, learner)
    standing = {row_id: line.standing for row_id, line in lines.items()}
    following = next_to_practise(standing, list(lines))
    recent = standings.since(session, learner.id, now - A_DAY) if learner else []
    return page(
        request,
        "home.html",
        topics=_by_topic(list(lines.values())),
        next=lines[following] if following is not None else None,
        recent=recent,
        tiers=TIERS,
        now=now,
    )


def _lines(session: Session, learner: Learner | None) -> dict[int, CardLine]:
    listed = cards.listed(session)
    known: Mapping[int, Standing] = {}
    if learner is not None:
        asks = {one.row_id: {t.id: t.asks for t in one.card.tiers} for one in listed}
        known = standings.standings(session, learner.id, asks)
    return {
        stored.row_id: CardLine(stored, known.get(stored.row_id, Standing())) for stored in listed
    }


def _by_topic(lines: Sequence[CardLine]) -> list[tuple[str, list[CardLine]]]:
    filed = attrgetter("stored.card.topic.position", "stored.card.topic.title")
    groups = groupby(sorted(lines, key=filed), key=filed)
    return [(title, list(of_topic)) for (_, title), of_topic in groups]
