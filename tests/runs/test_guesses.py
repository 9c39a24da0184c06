"""What is said of a run is kept once, and the first word stands."""

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from threading import Event

from app.domain.guess import Guess
from app.runs import guesses
from app.runs.guesses import guess_of
from app.store.engine import Database
from app.store.models import Learner
from tests.runs.conftest import PATIENCE_SECONDS, the_run
from tests.runs.measured import a_measurement, keep


def test_of_two_tabs_that_say_something_at_once_the_first_word_stands(
    database: Database, learner: Learner, now: datetime
):
    run = the_run(database, keep(database, "run", a_measurement()))

    said = Event()

    def say(low: float, seconds: float = 0.0) -> None:
        with database.changing() as session:
            guesses.keep(session, run, learner, Guess(low, low), now)
            said.set()
            time.sleep(seconds)  # the other tab is asked meanwhile
            session.commit()

    with ThreadPoolExecutor() as pool:
        first = pool.submit(say, 2.0, 0.5)
        assert said.wait(PATIENCE_SECONDS)
        say(3.0)
        first.result()
    with database.reading() as session:
        assert guess_of(session, run, learner) == Guess(2.0, 2.0)
