"""What one says of a run with a result of it in view is told apart from what one said before."""

from collections.abc import Callable
from html import unescape
from itertools import product

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.domain.running import RunSource
from app.store.engine import Database
from tests.lab import test_roofline, test_width
from tests.runs.benches import PARAMETERS
from tests.runs.measured import a_measurement
from tests.runs.measured import keep as keep_run
from tests.web.lab_runs import a_gpu, keep, started
from tests.web.practising import PAGE, another_browser, begin
from tests.web.reading import plain
from tests.web.seeing import LATE, RUN, guess_it, guesses

SHOW: dict[str, Callable[[TestClient], object]] = {
    "its page": lambda client: client.get(RUN),
    "its receipt": lambda client: client.get(f"{RUN}/receipt.json"),
    "the api": lambda client: client.get(f"/api/v1{RUN}"),
    "the list of runs, asked to": lambda client: client.get("/runs?show=1"),
    "a comparison's choice": lambda client: client.get(f"{RUN}/comparison"),
}


def test_what_is_said_before_seeing_counts(client: TestClient, width_recorded: None):
    for address in ("/experiments", "/experiments/width", "/runs", f"{PAGE}?open=claims"):
        client.get(address)
    guess_it(client)
    assert "inside your range 1 of 1 time." in guesses(client)
    assert LATE not in guesses(client)
    assert "You said 1.8×." in plain(client.get(RUN).text)


@pytest.mark.parametrize("shown", list(SHOW))
@pytest.mark.parametrize("known", [True, False], ids=["learner", "stranger"])
def test_what_is_said_after_seeing_is_told_and_counts_in_no_figure(
    client: TestClient, width_recorded: None, shown: str, known: bool
):
    if known:
        begin(client)
    SHOW[shown](client)
    guess_it(client)
    page = guesses(client)
    assert LATE in page and "inside your range" not in page
    assert "1 guess was made after you had seen a result of the same case" in page
    run = plain(client.get(RUN).text)
    assert "You said 1.8×, after you had seen a result." in run
    assert "before it was shown" not in run
    assert client.get(f"/api/v1{RUN}").json()["expectation_after_seeing"] is True


def test_the_form_says_what_was_seen(client: TestClient, width_recorded: None):
    assert "You have seen" not in client.get("/experiments/width").text
    client.get(RUN)
    form = plain(client.get("/experiments/width").text)
    assert "You have seen what was measured of bfloat16." in unescape(form)
    assert "doesn't count among your guesses" in form


def test_the_form_says_so_too_where_there_was_nothing_to_choose(
    client: TestClient, database: Database
):
    keep(database, "roofline", test_roofline.roofline())
    client.get("/runs/test-device-roofline-recorded")
    form = plain(client.get("/experiments/roofline").text)
    assert "You have seen what was measured of it on a GPU." in form


def test_the_form_counts_many_combinations_and_names_them_by_shape(
    client: TestClient, database: Database
):
    for dtype, direction in product(("bf16", "fp32"), ("forward", "backward", "both")):
        case = PARAMETERS | {"dtype": dtype, "direction": direction, "device": "gpu"}
        keep_run(database, f"{dtype}-{direction}", a_measurement(), parameters=case)
    client.get("/runs?show=1")
    form = unescape(plain(client.get("/experiments/chain").text))
    assert "You have seen what was measured of 6 of these combinations." in form
    shape = "Whisper large: bfloat16, backward; bfloat16, forward; bfloat16, forward and backward;"
    assert form.count("Whisper large:") == 1 and shape in form


def test_a_second_tab_that_was_open_before_does_not_help(client: TestClient, width_recorded: None):
    begin(client)
    client.get("/experiments/width")  # the first tab, with its form
    client.get(RUN)  # the second
    guess_it(client)
    assert LATE in guesses(client)


def test_another_case_of_the_experiment_counts(client: TestClient, database: Database):
    keep(database, "width")
    keep_run(database, "rec", a_measurement())
    client.get("/runs/rec")
    guess_it(client)
    assert LATE not in guesses(client)


def test_what_one_saw_another_did_not(app: FastAPI, client: TestClient, width_recorded: None):
    client.get(RUN)
    other = another_browser(app, client)
    guess_it(other)
    assert LATE not in guesses(other)


def test_an_imported_run_shows_the_case_as_well(client: TestClient, database: Database):
    keep(database, "width", source=RunSource.IMPORTED)
    keep(database, "width")
    client.get("/runs/test-device-width-imported")
    guess_it(client)
    assert LATE in guesses(client)


def test_a_finished_run_of_ones_own_is_seen_looked_at_or_not(
    client: TestClient, database: Database, width_recorded: None
):
    begin(client)
    keep(database, "width", test_width.swept(120.0), source=RunSource.LIVE, learner_id=1)
    guess_it(client)
    assert LATE in guesses(client)


def test_ones_own_run_that_ends_later_was_guessed_before(client: TestClient, database: Database):
    a_gpu(database)
    first = started(client, "width", where="gpu", low="2")
    started(client, "width", where="gpu", low="3")
    told = client.get(f"/api/v1{first}").json()
    assert told["expectation"]["low"] == 2 and told["expectation_after_seeing"] is False


def test_anothers_run_that_ends_while_one_looks_on_is_seen(
    client: TestClient, width_recorded: None
):
    begin(client)
    assert "1.80×" in client.get(f"{RUN}/events").text
    guess_it(client)
    assert LATE in guesses(client)


def test_a_head_shows_nothing(client: TestClient, width_recorded: None):
    client.head(RUN)
    guess_it(client)
    assert LATE not in guesses(client)
