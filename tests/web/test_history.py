"""The history and the record of one attempt."""

import re
from datetime import timedelta

import pytest

from app.domain.checking.findings import Finding, Kind, State
from app.store.models import Attempt
from app.web import history
from tests.web.practising import PAGE, answered, begin, find, hand_in, kept, review, statements


def test_an_empty_history_says_the_next_step(client):
    page = client.get("/history").text
    assert "Nothing here yet" in page
    assert 'href="/"' in page


def test_every_attempt_stands_in_the_history_newest_first(client):
    first = answered(client)
    second = answered(client)
    third = begin(client)
    page = client.get("/history").text
    places = [page.index(f'href="/attempts/{one}"') for one in (third, second, first)]
    assert places == sorted(places)
    assert "being answered" in page


def test_a_line_tells_the_time_against_the_target_the_findings_and_what_was_opened(
    client, database
):
    attempt_id = begin(client, "basics")
    client.get(f"{PAGE}?open=basics&open=solid")
    with database.changing() as session:
        attempt = session.get(Attempt, attempt_id)
        attempt.started_at = attempt.clock_stopped_at - timedelta(seconds=72)
        session.commit()
    hand_in(client, attempt_id, "The flops go down.")
    review(client, attempt_id)
    find(
        database,
        attempt_id,
        [
            Finding(Kind.KEY_POINT, "round_trips", State.COVERED, 0, 3),
            Finding(Kind.KEY_POINT, "not_matmul", State.COVERED, 0, 3),
            Finding(Kind.PITFALL, "fewer_flops", State.FLAGGED, 4, 9),
        ],
    )
    page = client.get("/history").text
    assert "basics, 1 min 12 s, 52 s over the 20 s" in page
    assert "1 of 2 points" in page
    assert "1 pitfall tripped" in page
    assert "2 rungs opened" in page


def test_a_line_tells_nothing_of_the_check_before_the_own_view(client, database):
    attempt_id = begin(client)
    hand_in(client, attempt_id, "The flops go down.")
    find(database, attempt_id, [Finding(Kind.PITFALL, "fewer_flops", State.FLAGGED, 4, 9)])
    page = client.get("/history").text
    assert "your own view comes next" in page
    assert "tripped" not in page
    assert "points" not in page


def test_a_long_history_comes_in_pages_that_miss_and_repeat_nothing(client, monkeypatch):
    monkeypatch.setattr(history, "A_PAGE", 2)
    ids = [answered(client) for _ in range(5)]
    seen, address = [], "/history"
    while address:
        page = client.get(address).text
        seen += [one for one in ids if f'href="/attempts/{one}"' in page]
        older = page.partition('href="/history?before=')[2].partition('"')[0]
        address = f"/history?before={older}" if older else ""
    assert sorted(seen) == ids


@pytest.mark.parametrize("address", ["/history", "/api/v1/attempts"])
def test_a_list_of_attempts_asks_no_more_of_the_database_the_longer_it_is(client, app, address):
    answered(client)
    client.get(address)  # the first look at a card reads the whole of it
    with statements(app.state.database) as for_one:
        client.get(address)
    for _ in range(3):
        answered(client)
    with statements(app.state.database) as for_four:
        client.get(address)
    assert len(for_four) == len(for_one)


def test_the_record_shows_the_answer_the_findings_and_what_was_opened(client, card):
    attempt_id = begin(client)
    client.get(f"{PAGE}?open=basics")
    tries = f"{PAGE}/follow-ups/{card.follow_ups[0].id}/tries"
    client.post(tries, data={"aloud": "1"})
    hand_in(client, attempt_id, "It saves trips.")
    client.post(f"/attempts/{attempt_id}/review")
    page = client.get(f"/attempts/{attempt_id}").text
    assert "It saves trips." in re.sub(r"</?mark[^>]*>|<sup.*?</sup>", "", page)
    assert "The check" in page
    assert "Basics," in page
    assert f"Follow-up 1 of {len(card.follow_ups)}" in page
    assert "(said aloud)" in page


def test_the_record_leads_to_a_new_attempt_once_the_answer_is_handed_in(client):
    again = f'href="{PAGE}?again=1"'
    attempt_id = begin(client)
    assert again not in client.get(f"/attempts/{attempt_id}").text
    hand_in(client, attempt_id, "It saves trips.")
    assert again in client.get(f"/attempts/{attempt_id}").text


def test_the_record_shows_no_check_before_the_own_view(client):
    attempt_id = begin(client)
    hand_in(client, attempt_id, "Trips.")
    page = client.get(f"/attempts/{attempt_id}").text
    assert "Your own view first" in page
    assert "What this length asks for" not in page and "Your answer covers" not in page


def test_the_record_of_an_attempt_given_up_keeps_its_draft(client):
    attempt_id = begin(client)
    client.post(f"/attempts/{attempt_id}/draft", data={"text": "half a thought"})
    client.post(f"/attempts/{attempt_id}/abandonment")
    page = client.get(f"/attempts/{attempt_id}").text
    assert "You gave this answer up." in page
    assert "half a thought" in page


def test_the_record_tells_which_version_of_the_card_was_answered(client, database):
    attempt_id = answered(client)
    version = kept(database, attempt_id).content_hash[:12]
    assert (
        f"the version that you answered, <code>{version}"
        in client.get(f"/attempts/{attempt_id}").text
    )
    with database.changing() as session:
        session.get(Attempt, attempt_id).content_hash = "0" * 64
        session.commit()
    assert "You answered version <code>000000000000" in client.get(f"/attempts/{attempt_id}").text
