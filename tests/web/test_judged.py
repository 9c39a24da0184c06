"""A judge that is set in the settings, as learners and programs see it."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Event

import pytest
from pydantic import ValidationError
from starlette.testclient import TestClient

from app.domain.checking.findings import State
from app.main import create_app
from app.settings import Settings
from tests.judging.server import honest, replying, send, serving, verdict_json
from tests.web.practising import PAGE, SLUG, answered, begin, hand_in, kept

ANSWER = "The trip to the bank saves a lot of steps."
SEEN = {"pitfall:fewer_flops": ("asserts", "saves a lot")}


@pytest.fixture
def judged(app, settings, client):
    """`judged(server)`: a browser at a site whose settings name this server's judge."""
    closing = []

    def browser(server):
        named = {
            "judge_url": server.endpoint.url,
            "judge_model": "a-model",
            "judge_key": "secret!",
            "judge_deadline": timedelta(minutes=1),
        }
        site = create_app(settings.model_validate({**settings.model_dump(), **named}))
        browser = TestClient(site, base_url=str(client.base_url), headers=client.headers)
        closing.append(browser.__enter__())
        return browser

    yield browser
    for browser in closing:
        browser.__exit__(None, None, None)


def state_of(database, attempt_id, ref):
    return next(row.state for row in kept(database, attempt_id).findings if row.ref == ref)


def test_an_attempt_keeps_and_shows_who_checked_it(judged, database):
    with serving(replying(honest(SEEN))) as server:
        browser = judged(server)
        attempt_id = answered(browser, ANSWER)
    page = browser.get(PAGE).text
    assert "Checked here and by a-model." in page and "in 100" not in page
    assert "Checked here and by a-model." in browser.get(f"/attempts/{attempt_id}").text
    assert state_of(database, attempt_id, "fewer_flops") is State.POSSIBLE
    shape = browser.get(f"/api/v1/attempts/{attempt_id}").json()
    assert (shape["checked_by"], shape["check_note"]) == ("here and by a-model", None)


def test_before_answering_one_is_told_where_the_answer_goes(judged, client):
    told = "What you hand in is checked here and sent to a judge at {} as well."
    with serving(replying(honest(SEEN))) as server:
        browser = judged(server)
        begin(browser)
    assert told.format(server.endpoint.place) in browser.get(PAGE).text
    begin(client)
    assert "a judge at" not in client.get(PAGE).text


def test_without_a_judge_it_was_checked_here(client, database):
    attempt_id = answered(client, ANSWER)
    page = client.get(PAGE).text
    assert "Checked here." in page
    assert "judge" not in page
    assert kept(database, attempt_id).checked_by == "here"


def test_a_judge_that_fails_is_told_of_and_can_be_asked_again(judged, database):
    working = []

    def act(handler, asked):
        if working:
            replying(honest(SEEN))(handler, asked)
        else:
            send(handler, b"", status=503)

    with serving(act) as server:
        browser = judged(server)
        attempt_id = answered(browser, ANSWER)
        why = f"The judge at {server.endpoint.place} answered with status 503, so it had no say."
        assert f"Checked here. {why}" in browser.get(PAGE).text
        assert state_of(database, attempt_id, "fewer_flops") is State.NOT_FOUND
        working.append(True)
        page = browser.post(f"/attempts/{attempt_id}/check").text
    assert "Checked here and by a-model." in page
    assert state_of(database, attempt_id, "fewer_flops") is State.POSSIBLE


def test_while_a_judge_thinks_others_can_write_and_the_answer_is_kept(judged, client, database):
    thinking, done = Event(), Event()

    def act(handler, asked):
        thinking.set()
        done.wait(60)
        replying(honest(SEEN))(handler, asked)

    with serving(act) as server, ThreadPoolExecutor(1) as threads:
        browser = judged(server)
        attempt_id = begin(browser)
        handing_in = threads.submit(hand_in, browser, attempt_id, ANSWER)
        assert thinking.wait(60)
        assert kept(database, attempt_id).answer == ANSWER
        assert begin(client) != attempt_id
        done.set()
        assert handing_in.result().status_code == 200
    assert kept(database, attempt_id).checked_by == "here and by a-model"


def test_the_api_says_by_whom_an_answer_was_checked(judged):
    asked = {"slug": SLUG, "answer": ANSWER}
    with serving(replying(honest(SEEN))) as server:
        browser = judged(server)
        good = browser.post("/api/v1/check", json=asked).json()
    gone = browser.post("/api/v1/check", json=asked).json()
    assert (good["checked_by"], good["check_note"]) == ("here and by a-model", None)
    assert gone["checked_by"] == "here"
    assert "could not be reached or broke off" in gone["check_note"]


def test_what_a_judge_replies_is_shown_as_words_of_the_answer_only(judged):
    reply = '<script>alert(1)</script>{"verdict"'
    with serving(replying(lambda a: verdict_json(a.id, "asserts", reply))) as server:
        browser = judged(server)
        answered(browser, ANSWER)
    assert "alert(1)" not in browser.get(PAGE).text


def test_the_key_is_never_logged_or_shown(judged, caplog):
    with serving(lambda handler, _: send(handler, b"", status=401), key="secret!") as server:
        browser = judged(server)
        answered(browser, ANSWER)
    assert server.asked[0].headers["Authorization"] == "Bearer secret!"
    assert "secret!" not in caplog.text
    assert "secret!" not in browser.get(PAGE).text
    assert "secret!" not in repr(browser.app.state.settings)
    assert "secret!" not in repr(server.endpoint)


@pytest.mark.parametrize(
    ("url", "model", "said"),
    [
        ("127.0.0.1:11434", "m", "must begin with http:// or https:// and a host"),
        ("file:///etc/passwd", "m", "must begin with http:// or https:// and a host"),
        ("http://", "m", "is no address that a request can be sent to"),
        ("https://user:key@host/v1", "m", "put a key in RIDGEPOINT_JUDGE_KEY"),
        ("https://host/v1?key=1", "m", "put a key in RIDGEPOINT_JUDGE_KEY"),
        ("https://host/v1", "", "name a model, since RIDGEPOINT_JUDGE_URL is set"),
    ],
)
def test_a_setting_that_makes_no_judge_is_refused_in_a_sentence(url, model, said):
    with pytest.raises(ValidationError, match=said):
        Settings(judge_url=url, judge_model=model)
