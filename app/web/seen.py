"""Noting what results this browser is shown: of a learner in the database, else in the cookie.

app/runs/sights.py says what counts. Reading makes nobody a learner; what one saw before becoming
one is in the signed cookie, and is kept with the first thing that is kept of them.
"""

from collections.abc import Collection, Iterable
from datetime import UTC, datetime

import structlog
from fastapi import Request
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from app.domain.wording import title_of
from app.runs import sights
from app.store import trouble
from app.store.models import Learner, Run
from kernels.lab.experiment import Experiment

IN_COOKIE = "seen"
MOST = 100
"""As many as a cookie has room for, and more than there are recorded runs."""

NOTHING_CHOSEN = "it on a GPU"
"""The words of a case in which nothing was to be chosen."""

log = structlog.get_logger("ridgepoint.seen")


def note(request: Request, session: Session, learner: Learner | None, runs: Iterable[Run]) -> None:
    """Keep that these runs' results are shown; a page is shown even where that can't be kept.

    A HEAD shows nothing.
    """
    if request.method == "HEAD":
        return
    known = sights.noted(session, learner.id) if learner else frozenset[str]()
    cases = {sights.case_of(run) for run in runs} - known - set(request.session.get(IN_COOKIE, ()))
    if cases and not (learner and keep(request, learner, cases)):
        request.session[IN_COOKIE] = [*request.session.get(IN_COOKIE, ()), *sorted(cases)][-MOST:]


def shown(request: Request, session: Session, learner: Learner | None) -> frozenset[str]:
    """The cases whose results were shown here before."""
    kept = sights.seen(session, learner.id) if learner else frozenset[str]()
    return kept | frozenset(request.session.get(IN_COOKIE, ()))


def titles(
    request: Request, session: Session, learner: Learner | None, experiment: Experiment
) -> list[str]:
    """The experiment's cases whose results were shown here before, in words."""
    before = shown(request, session, learner)
    cases = sights.cases(experiment) if before else ()
    found = {title_of(experiment, chosen) for case, chosen in cases if case in before}
    return sorted(title or NOTHING_CHOSEN for title in found)


def settle(request: Request, session: Session, learner: Learner, now: datetime) -> None:
    """Keep of the learner what the cookie holds, in a session that the route may commit or not.

    So the cookie lets go of it only when a later request finds that it was kept.
    """
    held = request.session.get(IN_COOKIE, ())
    if held and not sights.noted(session, learner.id).issuperset(held):
        sights.note(session, learner.id, held, now)
    elif held:
        del request.session[IN_COOKIE]


def keep(request: Request, learner: Learner, cases: Collection[str]) -> bool:
    """Note these cases in a session of its own; False where that can't be done at once."""
    try:
        with request.app.state.database.noting() as session:
            sights.note(session, learner.id, cases, datetime.now(UTC))
            session.commit()
    except SQLAlchemyError as error:
        if (why := trouble.sentence(error)) is None:
            raise
        log.warning("what was shown could not be noted", why=why)
        return False
    return True
