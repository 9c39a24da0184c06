"""An attempt: handing in, the own view, the check and its troubles, giving up."""

import sys
from datetime import UTC, datetime, timedelta

import pytest

from app.domain.practice import Dispute
from app.store.models import FindingRow, answer_seconds, study_seconds
from app.web.checks import Checks
from tests.web.practising import (
    PAGE,
    another_browser,
    answered,
    begin,
    find,
    hand_in,
    kept,
    review,
)

READY = "import sys, time, app.web.check_child as c; c.write_frame(sys.stdout.buffer, 'ready')"
HANGS = f"{READY}; time.sleep(60)"
BREAKS_OFF = "raise SystemExit(3)"


def program(source):
    return (sys.executable, "-c", source)


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


@pytest.mark.parametrize("source", [HANGS, BREAKS_OFF])
def test_a_check_that_hangs_or_breaks_off_loses_nothing_and_can_be_run_again(
    client, database, app, source
):
    sound = app.state.checks
    app.state.checks = Checks(timedelta(seconds=0.3), program(source))
    attempt_id = begin(client)
    hand_in(client, attempt_id, "It removes round trips.")
    page = review(client, attempt_id).text
    assert "Not checked yet" in page
    assert "Your answer is kept, and you can check it again." in page
    assert kept(database, attempt_id).answer == "It removes round trips."
    app.state.checks.close()
    app.state.checks = sound
    page = client.post(f"/attempts/{attempt_id}/check").text
    assert "The check" in page
    assert kept(database, attempt_id).check_trouble is None


class OvertakenChecks(Checks):
    """Checks that another tab overtakes: while one check runs, the same answer is checked whole."""

    def __init__(self, inner, meanwhile):
        self.inner, self.meanwhile = inner, meanwhile

    sent_to = None

    def checked(self, answer, card):
        checked = self.inner.checked(answer, card)
        if meanwhile := self.meanwhile:
            self.meanwhile = None
            meanwhile(checked)
        return checked

    def close(self):
        self.inner.close()


def test_two_checks_of_one_answer_at_the_same_moment_keep_one_set_of_findings(
    client, database, app, card
):
    attempt_id = begin(client)
    app.state.checks = OvertakenChecks(
        app.state.checks, lambda checked: find(database, attempt_id, checked.findings)
    )
    assert hand_in(client, attempt_id, "It removes round trips.").status_code == 200
    attempt = kept(database, attempt_id)
    assert attempt.checked_at is not None
    assert len(attempt.findings) == len(card.key_points) + len(card.pitfalls)


def test_a_dispute_made_while_the_answer_is_checked_again_stays(client, database, app):
    attempt_id = answered(client)
    finding = kept(database, attempt_id).findings[0].id

    def dispute(_checked):
        with database.changing() as session:
            row = session.get(FindingRow, finding)
            row.dispute, row.disputed_at = Dispute.NOT_SAID, datetime.now(UTC)
            session.commit()

    app.state.checks = OvertakenChecks(app.state.checks, dispute)
    client.post(f"/attempts/{attempt_id}/check")
    assert kept(database, attempt_id).findings[0].dispute == Dispute.NOT_SAID


def test_an_answer_whose_check_never_ran_says_so(client, database):
    attempt_id = answered(client)
    with database.changing() as session:
        attempt = session.merge(kept(database, attempt_id))
        attempt.checked_at = None
        session.commit()
    assert "The check has not run yet" in client.get(PAGE).text


def test_nothing_can_be_reviewed_or_checked_before_the_hand_in(client):
    attempt_id = begin(client)
    for path in ("review", "check"):
        answer = client.post(f"/attempts/{attempt_id}/{path}")
        assert answer.status_code == 409
        assert "hand one in first" in answer.text


def test_the_own_view_is_kept_in_the_cards_order_and_undone_exactly(client, database):
    attempt_id = begin(client)
    hand_in(client, attempt_id, "Trips.")
    before = kept(database, attempt_id)
    review(client, attempt_id, "round_trips", "same_arithmetic", sureness="fairly")
    attempt = kept(database, attempt_id)
    assert attempt.claimed == ["same_arithmetic", "round_trips"]
    assert attempt.sureness == "fairly"
    page = client.post(f"/attempts/{attempt_id}/review/withdrawal").text
    assert "Your own view first" in page
    after = kept(database, attempt_id)
    for column in ("claimed", "sureness", "reviewed_at"):
        assert getattr(after, column) == getattr(before, column)


def test_the_own_view_needs_no_tick_and_no_word_on_how_sure(client):
    attempt_id = begin(client)
    hand_in(client, attempt_id, "Trips.")
    assert "You ticked 0 points." in client.post(f"/attempts/{attempt_id}/review").text


def test_a_tick_on_an_unknown_point_is_refused(client, database):
    attempt_id = begin(client)
    hand_in(client, attempt_id, "Trips.")
    assert review(client, attempt_id, "nonsense").status_code == 422
    assert kept(database, attempt_id).reviewed_at is None


def test_an_attempt_given_up_makes_room_for_the_next_and_takes_no_answer(client, database):
    attempt_id = begin(client)
    page = client.post(f"/attempts/{attempt_id}/abandonment").text
    assert "How long have you got?" in page
    assert hand_in(client, attempt_id, "late").status_code == 409
    assert kept(database, attempt_id).answer is None
    assert begin(client) != attempt_id


def test_what_is_handed_in_after_giving_up_in_another_tab_is_kept_in_the_history(client):
    attempt_id = begin(client)
    client.put(f"/attempts/{attempt_id}/draft", data={"text": "half a draft"})
    client.post(f"/attempts/{attempt_id}/abandonment")
    told = hand_in(client, attempt_id, "the whole answer, typed in the other tab")
    assert told.status_code == 409
    assert "your text is kept in the history" in told.text
    record = client.get(f"/attempts/{attempt_id}").text
    assert "half a draft" in record
    assert "the whole answer, typed in the other tab" in record


def test_an_answer_handed_in_can_no_longer_be_given_up(client, database):
    attempt_id = answered(client)
    client.post(f"/attempts/{attempt_id}/abandonment")
    assert kept(database, attempt_id).abandoned_at is None


def test_the_time_of_an_answer_ends_at_the_first_rung_opened(client, database):
    attempt_id = begin(client)
    client.get(f"{PAGE}?open=basics")
    with database.changing() as session:
        attempt = session.merge(kept(database, attempt_id))
        attempt.started_at -= timedelta(seconds=300)
        attempt.clock_stopped_at -= timedelta(seconds=259)
        session.commit()
    hand_in(client, attempt_id, "Trips.")
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
