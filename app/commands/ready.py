"""What a site that has just started does ahead of its first visitors, while it serves already."""

import gc
import threading
from collections.abc import Callable, Sequence

from fastapi import FastAPI

from app.runs.conclusions import concluded
from app.runs.listing import likely
from app.store.cards import StoredCard
from app.store.engine import Database
from app.web.checks import Checks


def get_ready(app: FastAPI, known: Sequence[StoredCard]) -> None:
    """Begin, so that the day's first answer and the first look at the runs wait no longer."""
    checks: Checks = app.state.checks
    _meanwhile(lambda: _all_of_it(checks, known, app.state.database))


def _all_of_it(checks: Checks, known: Sequence[StoredCard], database: Database) -> None:
    concluding = _meanwhile(lambda: conclude_ahead(database))  # the checker is a process of its own
    for stored in known:
        checks.get_ready(stored.card)
    concluding.join()
    # What is there now stays: a collector that went through it again would hold requests up.
    gc.collect()
    gc.freeze()


def conclude_ahead(database: Database) -> None:
    """Draw the conclusions that lists and claims show, each in a transaction of its own."""
    with database.reading() as session:
        runs = likely(session)
    for run in runs:
        with database.reading() as session:
            concluded(session, run)


def _meanwhile(do: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=do, daemon=True)
    thread.start()
    return thread
