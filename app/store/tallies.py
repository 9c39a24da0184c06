"""How much of each thing there is, for the figures that an operator watches."""

from collections import Counter
from collections.abc import Mapping

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from app.domain.running import RunSource, RunState
from app.store.models import Attempt, Run


def attempts(session: Session) -> dict[str, int]:
    """Attempts by where they stand: open, abandoned or handed in."""
    handed_in = Attempt.handed_in_at.is_not(None)
    abandoned = Attempt.abandoned_at.is_not(None)
    states = {"open": ~handed_in & ~abandoned, "abandoned": abandoned, "handed_in": handed_in}
    return _counts(session, states)


def checks(session: Session, handed_in: int) -> dict[str, int]:
    """Checks of the handed-in answers: done, put off with a trouble, or still waiting.

    Only those that are not done are read, which are few.
    """
    not_done = Attempt.checked_at.is_(None), Attempt.handed_in_at.is_not(None)
    troubled = Attempt.check_trouble.is_not(None)
    others = _counts(session, {"put_off": troubled, "waiting": ~troubled}, *not_done)
    return {"done": handed_in - sum(others.values()), **others}


def runs(session: Session) -> dict[str, int]:
    """Runs that someone asked for here, by state; the states without any are 0.

    An index alone tells how many there are; those from elsewhere, which are few and
    nobody's, are taken off.
    """
    in_all = _by_state(session)
    elsewhere = _by_state(session, Run.learner_id.is_(None), Run.source != RunSource.LIVE)
    return {state.value: in_all[state] - elsewhere[state] for state in RunState}


def _by_state(session: Session, *which: ColumnElement[bool]) -> Counter[RunState]:
    counted = select(Run.state, func.count()).where(*which).group_by(Run.state)
    return Counter(dict(session.execute(counted).all()))


def _counts(
    session: Session, states: Mapping[str, ColumnElement[bool]], *which: ColumnElement[bool]
) -> dict[str, int]:
    counted = [func.count().filter(condition) for condition in states.values()]
    row = session.execute(select(*counted).select_from(Attempt).where(*which)).one()
    return dict(zip(states, row, strict=True))
