"""What is said of a run is kept once, and the first word stands."""

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

from app.domain.guess import Guess
from app.runs import guesses
from app.runs.guesses import guess_of
from app.store.engine import Database
from app.store.models import Learner
from tests.runs.conftest import the_run
from tests.runs.measured import a_measurement, keep


def test_of_two_tabs_that_say_something_at_once_the_first_word_stands(
    database: Database, learner: Learner, now: datetime
):
    run = the_run(database, keep(database, "run", a_measurement()))

    def say(low: float, seconds: float) -> None:
        with database.changing() as session:
            guesses.keep(session, run, learner, Guess(low, low), now)
            time.sleep(seconds)  # the other tab is asked meanwhile
            session.commit()

    with ThreadPoolExecutor() as pool:
        first = pool.submit(say, 2.0, 0.5)
        time.sleep(0.2)
        pool.submit(say, 3.0, 0.0).result()
        first.result()
    with database.reading() as session:
        assert guess_of(session, run, learner) == Guess(2.0, 2.0)
