"""The page with the form of one experiment: where it can run, what one has seen of it already."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from uuid import uuid4

from fastapi import Request, Response
from sqlalchemy.orm import Session

from app.domain import guess
from app.runs.ask import Refused
from app.runs.offer import offer_of
from app.store import cards
from app.store.cards import StoredCard
from app.store.models import Learner
from app.web import seen
from app.web.filled import Filled
from app.web.pages import page
from kernels.lab.experiment import Experiment

STATUS = {"bad_choice": 422, "switched_off": 503}
TOO_MUCH = 429


@dataclass(frozen=True, slots=True)
class Form:
    """The page with the form of one experiment, empty or as it was sent."""

    request: Request
    session: Session
    learner: Learner | None
    experiment: Experiment
    now: datetime

    def answer(self, refused: Refused | None = None, filled: Filled | None = None) -> Response:
        """The page; with what was wrong and what was chosen, where something was refused."""
        after = refused.after if refused else None
        settings = self.request.app.state.settings
        titles = seen.titles(self.request, self.session, self.learner, self.experiment)
        return page(
            self.request,
            "experiment.html",
            status=STATUS.get(refused.kind, TOO_MUCH) if refused else 200,
            headers={"Retry-After": str(round(after.total_seconds()))} if after else None,
            experiment=self.experiment,
            offer=offer_of(self.session, settings, self.experiment),
            seen=titles,
            seen_by_first=_by_first(titles),
            claimed_by=_claimed_by(self.session, self.experiment.name),
            unit=guess.UNITS.get(self.experiment.question.kind, ""),
            refused=refused,
            back_at=self.now + after if after else None,
            filled=filled or Filled({}),
            key=uuid4().hex,
        )


def _by_first(titles: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Titles of cases by what was chosen first: `Conformer L`, [`bfloat16, forward`, …]."""
    parts = (title.partition(", ") for title in titles)
    return [
        (first, [rest for _, _, rest in of_first])
        for first, of_first in groupby(parts, key=itemgetter(0))
    ]


def _claimed_by(session: Session, name: str) -> list[StoredCard]:
    """The questions that make a claim which this experiment tries."""
    return [
        stored
        for stored in cards.listed(session)
        if any(claim.experiment == name for claim in stored.card.claims)
    ]
