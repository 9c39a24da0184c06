"""Giving an attempt up."""

from tests.web.practising import answered, begin, hand_in, kept


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
