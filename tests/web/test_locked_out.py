"""Whatever became of its check, an answer that was handed in never locks the learner out."""

import sys
from collections.abc import Iterator
from datetime import timedelta

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.store.engine import Database
from app.web.checks import Checks
from tests.web.practising import PAGE, begin, hand_in, kept, review
from tests.web.reading import plain
from tests.web.test_checking_again import BREAKS_OFF, HANGS


@pytest.fixture
def hanging(app: FastAPI) -> Iterator[Checks]:
    """Checks of which none is done in time."""
    sound = app.state.checks
    app.state.checks = Checks(timedelta(seconds=0.3), (sys.executable, "-c", HANGS))
    yield sound
    app.state.checks.close()
    app.state.checks = sound


@pytest.fixture
def unchecked(client: TestClient, hanging: Checks) -> int:
    """An attempt whose check did not end in time."""
    attempt_id = begin(client)
    hand_in(client, attempt_id, "It removes round trips.")
    review(client, attempt_id)
    return attempt_id


def test_an_answer_can_be_given_again_before_its_check_is_shown(client: TestClient):
    attempt_id = begin(client)
    page = hand_in(client, attempt_id, "It removes round trips.").text
    assert "Your own view first" in page and "Answer it again" in page
    assert begin(client) != attempt_id


def test_and_where_the_check_did_not_end(client: TestClient, unchecked: int):
    page = client.get(PAGE).text
    assert "Not checked yet" in page and "Answer it again" in page
    assert begin(client) != unchecked


def test_a_check_that_ended_the_same_way_before_says_when_another_helps(
    client: TestClient, unchecked: int
):
    first = plain(client.get(PAGE).text)
    assert "you can check it again" in first and "the same way before" not in first
    again = plain(client.post(f"/attempts/{unchecked}/check").text)
    assert "It ended the same way before" in again and "only if the site was busy" in again
    assert "Check it again" in again


def test_one_that_broke_off_twice_is_not_said_to_want_a_shorter_answer(
    client: TestClient, app: FastAPI, hanging: Checks, unchecked: int
):
    app.state.checks.close()
    app.state.checks = Checks(timedelta(seconds=60), (sys.executable, "-c", BREAKS_OFF))
    for _ in range(2):
        page = plain(client.post(f"/attempts/{unchecked}/check").text)
        assert "broke off. Your answer is kept, and you can check it again." in page
        assert "shorter" not in page


def test_an_answer_that_was_left_unchecked_is_checked_on_its_own_page(
    client: TestClient, app: FastAPI, hanging: Checks, unchecked: int
):
    begin(client)
    record = client.get(f"/attempts/{unchecked}").text
    assert "Check it again" in record and f'href="{PAGE}?again=1"' in record
    app.state.checks.close()
    app.state.checks = hanging
    page = client.post(f"/attempts/{unchecked}/check", data={"from_record": "1"})
    assert page.url.path == f"/attempts/{unchecked}" and "Your answer covers" in page.text


def test_so_is_the_own_view_of_one_that_was_left_without(client: TestClient, database: Database):
    attempt_id = begin(client)
    hand_in(client, attempt_id, "It removes round trips.")
    begin(client)
    record = client.get(f"/attempts/{attempt_id}").text
    assert "Your own view first" in record and "Your answer covers" not in record
    page = client.post(
        f"/attempts/{attempt_id}/review", data={"claimed": "round_trips", "from_record": "1"}
    )
    assert page.url.path == f"/attempts/{attempt_id}" and "Your answer covers" in page.text
    assert kept(database, attempt_id).claimed == ["round_trips"]
    undone = client.post(f"/attempts/{attempt_id}/review/withdrawal", data={"from_record": "1"})
    assert undone.url.path == f"/attempts/{attempt_id}" and "Your own view first" in undone.text
