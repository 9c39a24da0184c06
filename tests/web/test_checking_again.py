"""Checks that fail, are overtaken or are run again: the answer and what was said to it stay."""

import sys
from datetime import UTC, datetime, timedelta

import pytest

from app.domain.practice import Dispute
from app.store.models import FindingRow
from app.web.checks import Checks
from tests.web.practising import PAGE, SLUG, answered, begin, find, hand_in, kept, review

READY = "import sys, time, app.web.check_child as c; c.write_frame(sys.stdout.buffer, 'ready')"
HANGS = f"{READY}; time.sleep(60)"
BREAKS_OFF = "raise SystemExit(3)"


def program(source):
    return (sys.executable, "-c", source)


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


def test_where_checking_again_fails_the_page_says_so_above_what_was_found_before(client, app):
    attempt_id = answered(client, "It removes round trips.")
    sound = app.state.checks
    app.state.checks = Checks(timedelta(seconds=0.3), program(HANGS))
    page = client.post(f"/attempts/{attempt_id}/check").text
    app.state.checks.close()
    app.state.checks = sound
    told, _, found = page.partition('<p class="sentence">')
    assert "took longer than 0.3 s" in told and "from the check before" in told
    assert 'data-say="The check took longer' in told
    assert "Your answer covers" in found and "Check it again" in found
    assert "from the check before" not in client.post(f"/attempts/{attempt_id}/check").text


def test_of_an_answer_that_is_not_kept_a_failed_check_says_no_such_thing(client, app):
    sound = app.state.checks
    app.state.checks = Checks(timedelta(seconds=0.3), program(HANGS))
    told = client.post("/api/v1/check", json={"slug": SLUG, "answer": "It removes round trips."})
    app.state.checks.close()
    app.state.checks = sound
    assert told.status_code == 503
    assert "took longer than 0.3 s" in told.json()["detail"]
    assert "kept" not in told.json()["detail"]
    assert told.json()["detail"].endswith("Send it again.")


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
