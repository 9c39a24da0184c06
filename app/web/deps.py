"""What a route may ask for: a session to read or to write, the learner, the settings, the time."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy.orm import Session

from app.settings import Settings
from app.store import learners
from app.store.models import Learner
from app.web import seen


# What never waits is `async`, so that no request changes threads for it.
async def _settings(request: Request) -> Settings:
    return request.app.state.settings


def _reading(request: Request) -> Iterator[Session]:
    with request.app.state.database.reading() as session:
        yield session


def _changing(request: Request) -> Iterator[Session]:
    with request.app.state.database.changing() as session:
        yield session


async def _now() -> datetime:
    return datetime.now(UTC)


AppSettings = Annotated[Settings, Depends(_settings)]
Now = Annotated[datetime, Depends(_now)]

# scope="function": the session ends before the answer is sent, so that a
# failing commit can still become an error instead of a 200.
Reading = Annotated[Session, Depends(_reading, scope="function")]
Changing = Annotated[Session, Depends(_changing, scope="function")]


def _known_learner(request: Request, session: Reading) -> Learner | None:
    return learners.by_key(session, request.session.get("learner"))


def _learner(request: Request, session: Changing, now: Now) -> Learner:
    learner = learners.by_key(session, request.session.get("learner"))
    if learner is None:
        learner = learners.create(session, now)
        request.session["learner"] = learner.key
    seen.settle(request, session, learner, now)
    return learner


KnownLearner = Annotated[Learner | None, Depends(_known_learner, scope="function")]
"""The learner whose cookie this is, or None: reading a page makes nobody a learner."""

CurrentLearner = Annotated[Learner, Depends(_learner, scope="function")]
"""The learner whose cookie this is, made now if there is none; in the route's Changing session."""
