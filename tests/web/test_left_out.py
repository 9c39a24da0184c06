"""What an answer has no word on, as the pages and the API tell it."""

import pytest
from sqlalchemy import select

from app.domain.checking.bounded import unread
from app.domain.checking.findings import Finding, Kind, State
from app.domain.omissions import NOT_IN_PART
from app.store.models import CardRow
from tests.web.practising import PAGE, answered, find, kept

BACKWARD = "no word on the backward, and leaving it out is heard as often as denying it"
LONG = "It saves trips. " * 300  # 4,800 characters


@pytest.fixture
def check(client, database, card):
    def check(tier, answer="Nothing much.", **states):
        attempt_id = answered(client, answer, tier)
        points = [
            Finding(Kind.KEY_POINT, point.id, states.get(point.id, State.NOT_FOUND))
            for point in card.key_points
        ]
        find(database, attempt_id, points)
        return attempt_id

    return check


@pytest.fixture
def unworded(client, database):
    """The points of the site's card, with no sentence of their own for what is left out."""
    with database.changing() as session:
        row = session.scalars(select(CardRow)).one()
        points = [point | {"left_out": None} for point in row.body["key_points"]]
        row.body, row.content_hash = row.body | {"key_points": points}, "0" * 64
        session.commit()
    return points


def test_the_longer_answer_is_told_that_it_left_the_backward_out(client, check):
    check("solid")
    assert BACKWARD in client.get(PAGE).text


def test_a_point_whose_lack_the_card_does_not_word_is_not_told_twice(client, unworded, check):
    check("basics")
    page = client.get(PAGE).text
    assert page.count("no word on this") == 2
    assert page.count(unworded[0]["point"].replace("'", "&#39;")) == 1


def test_a_point_whose_subject_was_spoken_of_is_told_as_not_found(client, check):
    attempt_id = check("solid", "And the backward, well.")
    page = client.get(PAGE).text
    assert BACKWARD not in page and "you spoke of it; the point was not found" in page
    told = client.get(f"/api/v1/attempts/{attempt_id}").json()["omissions"]
    [backward] = [one["says"] for one in told if one["ref"] == "backward"]
    assert backward == "You spoke of it; the point was not found"


def test_of_an_answer_that_was_not_read_whole_it_is_not_said_to_have_no_word(client, check):
    attempt_id = check("solid", LONG)
    told = client.get(f"/api/v1/attempts/{attempt_id}").json()
    assert told["unread"] == unread(LONG) > 0
    assert {one["says"] for one in told["omissions"]} == {NOT_IN_PART}
    page = client.get(PAGE).text
    assert "no word on" not in page.lower() and NOT_IN_PART[1:] in page


@pytest.mark.usefixtures("unworded")
def test_nor_where_the_card_does_not_word_the_lack(client, check):
    check("solid", LONG)
    page = client.get(PAGE).text
    assert "no word on" not in page.lower() and page.count(NOT_IN_PART[1:]) == 10


def test_a_check_that_is_not_kept_tells_what_it_did_not_read(client):
    for answer in ("It saves trips.", LONG):
        asked = {"slug": "fused-normalization-chain", "answer": answer}
        assert client.post("/api/v1/check", json=asked).json()["unread"] == unread(answer)


def test_the_short_answer_is_not_asked_for_the_backward(client, check):
    attempt_id = check("basics")
    page = client.get(PAGE).text
    assert BACKWARD not in page
    assert "no word on going out to device memory and back" in page
    told = client.get(f"/api/v1/attempts/{attempt_id}").json()["omissions"]
    assert [one["ref"] for one in told] == ["same_arithmetic", "round_trips"]


def test_what_was_covered_is_not_left_out(client, check):
    attempt_id = check("solid", backward=State.COVERED)
    assert BACKWARD not in client.get(PAGE).text
    told = client.get(f"/api/v1/attempts/{attempt_id}").json()["omissions"]
    assert "backward" not in [one["ref"] for one in told]
    assert len(told) == 9


def test_what_the_learner_says_they_said_is_left_out_no_more(client, check, database):
    attempt_id = check("solid")
    row = next(row for row in kept(database, attempt_id).findings if row.ref == "backward")
    address = f"/attempts/{attempt_id}/findings/{row.id}/dispute"
    assert BACKWARD not in client.post(address, data={"words": "said"}).text
    assert BACKWARD in client.post(f"{address}/withdrawal").text


def test_before_the_check_nothing_is_said_to_be_left_out(client):
    asked = {"slug": "fused-normalization-chain", "tier": "solid"}
    begun = client.post("/api/v1/attempts", json=asked).json()
    assert begun["omissions"] == []
