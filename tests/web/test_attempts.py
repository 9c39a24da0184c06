"""Handing an answer in: what is kept, in which form, and whose it is."""

from datetime import timedelta

import pytest

from app.store.models import answer_seconds, study_seconds
from tests.web.practising import PAGE, another_browser, answered, begin, find, hand_in, kept, review


def test_handing_in_shows_the_own_view_before_anything_of_the_check(client, database):
    attempt_id = begin(client)
    page = hand_in(client, attempt_id, "It removes round trips.").text
    assert "Your own view first" in page
    assert "The check" not in page.replace("Show the check", "")
    assert kept(database, attempt_id).checked_at is not None


def test_the_check_has_one_finding_for_each_key_point_and_each_pitfall(client, database, card):
    attempt_id = answered(client)
    findings = kept(database, attempt_id).findings
    refs = [row.ref for row in findings]
    assert sorted(refs) == sorted(
        [*(point.id for point in card.key_points), *(pitfall.id for pitfall in card.pitfalls)]
    )


def test_the_answer_is_kept_in_the_form_that_is_checked(client, database):
    attempt_id = begin(client)
    hand_in(client, attempt_id, "one\r\ntwo\rthree\0")
    assert kept(database, attempt_id).answer == "one\ntwo\nthree\N{REPLACEMENT CHARACTER}"


def test_an_answer_is_shown_as_typed(client, database):
    typed = "<script>alert(1)</script> **bold** $x_1$ {{ 7*7 }}"
    attempt_id = begin(client)
    before = hand_in(client, attempt_id, typed)
    find(database, attempt_id, [])  # nothing is marked, so the text stands in one piece
    for page in (before, review(client, attempt_id)):
        assert "&lt;script&gt;alert(1)&lt;/script&gt; **bold** $x_1$ {{ 7*7 }}" in page.text
        assert "<script>alert" not in page.text


@pytest.mark.parametrize("nothing", ["", ":", " \n ", "…"])
def test_an_answer_without_words_has_nothing_to_check(client, nothing):
    attempt_id = begin(client)
    hand_in(client, attempt_id, nothing)
    assert "Nothing to check" in review(client, attempt_id).text


def test_a_second_hand_in_leaves_the_answer_and_keeps_the_other_text_beside_it(client, database):
    attempt_id = begin(client)
    hand_in(client, attempt_id, "first")
    page = hand_in(client, attempt_id, "second, from another tab")
    assert page.status_code == 200
    attempt = kept(database, attempt_id)
    assert attempt.answer == "first"
    assert "second, from another tab" in attempt.draft
    assert "second, from another tab" in review(client, attempt_id).text


def test_the_same_late_text_is_kept_once(client, database):
    attempt_id = begin(client)
    for text in ("first", "from a second tab", "from a third", "from a second tab"):
        hand_in(client, attempt_id, text)
    assert kept(database, attempt_id).draft == "from a second tab\n\nfrom a third"


def test_a_double_click_on_hand_in_changes_nothing(client, database):
    attempt_id = begin(client)
    for _ in range(2):
        hand_in(client, attempt_id, "the same")
    assert kept(database, attempt_id).answer == kept(database, attempt_id).draft == "the same"


def test_an_answer_that_is_too_long_is_refused_with_its_length_and_the_attempt_stays_open(
    client, database, settings
):
    attempt_id = begin(client)
    page = hand_in(client, attempt_id, "x" * (settings.max_answer_characters + 1))
    assert page.status_code == 422
    assert "this one has 20,001: shorten it" in page.text
    assert kept(database, attempt_id).handed_in_at is None


def test_another_learners_attempt_is_not_found(app, client):
    attempt_id = answered(client)
    other = another_browser(app, client)
    begin(other)
    for path in ("answer", "review", "review/withdrawal", "check", "abandonment", "draft"):
        assert other.post(f"/attempts/{attempt_id}/{path}").status_code == 404
    assert other.get(f"/attempts/{attempt_id}").status_code == 404
    assert other.get(f"/attempts/{attempt_id}/draft").status_code == 404


def test_the_time_of_an_answer_ends_at_the_first_rung_opened(client, database):
    attempt_id = begin(client)
    client.get(f"{PAGE}?open=basics")
    hand_in(client, attempt_id, "Trips.")
    with database.changing() as session:
        attempt = session.merge(kept(database, attempt_id))
        attempt.clock_stopped_at = attempt.handed_in_at - timedelta(seconds=259)
        attempt.started_at = attempt.clock_stopped_at - timedelta(seconds=41)
        session.commit()
    page = review(client, attempt_id).text
    assert "Your answer, 41 s of 50 s" in page
    assert "Then 4 min 19 s of study" in page


def test_a_hand_in_whose_cookie_is_gone_gives_the_text_back(client, database):
    attempt_id = begin(client)
    client.cookies.clear()
    told = hand_in(client, attempt_id, "a long <b>answer</b>")
    assert told.status_code == 404
    assert "no learner&#39;s cookie any more" in told.text
    assert "a long &lt;b&gt;answer&lt;/b&gt;</blockquote>" in told.text
    assert kept(database, attempt_id).answer is None


def test_an_answer_that_is_refused_comes_back_with_the_reason(client, settings):
    attempt_id = begin(client)
    text = "y" * (settings.max_answer_characters + 1)
    assert f"{text}</blockquote>" in hand_in(client, attempt_id, text).text


def test_an_answer_takes_no_less_than_0_seconds_where_the_clock_was_set_back(client, database):
    attempt_id = begin(client)
    with database.changing() as session:
        attempt = session.merge(kept(database, attempt_id))
        attempt.started_at += timedelta(days=2)
        attempt.clock_stopped_at = attempt.started_at
        session.commit()
    hand_in(client, attempt_id, "Trips.")
    attempt = kept(database, attempt_id)
    assert answer_seconds(attempt, attempt.handed_in_at) == 0
    assert study_seconds(attempt, attempt.handed_in_at) == 0
    assert review(client, attempt_id).status_code == 200
