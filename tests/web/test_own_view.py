"""The learner's own view, which comes before the check."""

from tests.web.practising import begin, hand_in, kept, review


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
