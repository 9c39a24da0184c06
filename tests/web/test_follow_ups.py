"""Follow-ups: tried first, then shown."""

import pytest

from tests.web.practising import PAGE, answered


@pytest.mark.parametrize("again", [False, True])
def test_a_follow_up_shows_its_answer_only_after_a_try(client, card, again):
    if again:
        answered(client)
    follow_up = card.follow_ups[0]
    part = f"follow-up-{follow_up.id}"
    page = client.get(f"{PAGE}?{'again=1&' * again}open={part}").text
    assert follow_up.question in page
    assert follow_up.answer.html not in page
    tries = f"{PAGE}/follow-ups/{follow_up.id}/tries"
    form = {"text": "<b>the bytes</b>"} | ({"again": "1"} if again else {})
    page = client.post(tries, data=form).text
    assert follow_up.answer.html in page
    assert "&lt;b&gt;the bytes&lt;/b&gt;" in page


def test_saying_a_follow_up_aloud_is_a_try_and_typing_nothing_is_not(client, card):
    follow_up = card.follow_ups[0]
    tries = f"{PAGE}/follow-ups/{follow_up.id}/tries"
    assert client.post(tries, data={"text": "  "}).status_code == 422
    page = client.post(tries, data={"text": "", "aloud": "1"})
    assert "You said it aloud." in page.text
    assert follow_up.answer.html in page.text


def test_what_was_tried_first_stays_when_another_tab_tries_after_the_answer_was_shown(client, card):
    tries = f"{PAGE}/follow-ups/{card.follow_ups[0].id}/tries"
    client.post(tries, data={"text": "the first thought"})
    assert "the first thought" in client.post(tries, data={"aloud": "1"}).text
    page = client.post(tries, data={"text": "the answer, copied"}).text
    assert "the first thought" in page
    assert "the answer, copied" not in page


def test_an_unknown_follow_up_is_not_found(client):
    assert client.post(f"{PAGE}/follow-ups/none/tries", data={"aloud": "1"}).status_code == 404
