"""A judge's say in a check, over real HTTP: when it is good, and when it is not."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from app.domain.checked import Checked
from app.judging.endpoint import CONNECTIONS, MOST_BYTES
from app.judging.judge import ANSWERS_AT_ONCE, Judge
from tests.judging.conftest import AGREED, ANSWER, CHECKED_HERE, SEEN, states
from tests.judging.server import honest, replying, send, serving, verdict_json

GOOD = replying(honest(SEEN))


def alone(why, server):
    """The check that stands when the judge has no say."""
    note = f"The judge at {server.endpoint.place} {why}, so it had no say."
    return Checked(CHECKED_HERE, "here", note)


def test_a_good_judge_has_its_say(second):
    with serving(GOOD) as server:
        checked = second(server)
    assert states(checked) == AGREED
    assert (checked.by, checked.note) == ("here and by a-model", None)


def test_the_words_that_show_a_judges_finding_are_the_answers(second):
    with serving(GOOD) as server:
        found = {
            f.ref: ANSWER[f.start : f.end] for f in second(server).findings if f.start != f.end
        }
    assert found == {
        "round_trips": "saves trips to memory",
        "fewer_flops": "Fewer FLOPs are needed",
        "ignores_backward": "skip the gradients",
    }


def test_it_is_asked_about_one_claim_at_a_time_a_few_at_once(second, card):
    with serving(GOOD) as server:
        second(server)
    claims = {f"key_point:{point.id}" for point in card.key_points}
    claims |= {f"pitfall:{pitfall.id}" for pitfall in card.pitfalls}
    assert sorted(asked.id for asked in server.asked) == sorted(
        claims | {"control:train", "control:kitchen"}
    )
    assert server.most_at_once <= CONNECTIONS


def test_the_request_is_of_the_protocol(second):
    with serving(GOOD, key="a-key") as server:
        second(server)
    asked = server.asked[0]
    assert asked.headers["Authorization"] == "Bearer a-key"
    assert asked.body["model"] == "a-model"
    assert (asked.body["stream"], asked.body["temperature"]) == (False, 0)
    assert [message["role"] for message in asked.body["messages"]] == ["system", "user"]
    form = asked.body["response_format"]["json_schema"]
    assert form["strict"] is True
    assert form["schema"]["properties"]["id"]["enum"] == [asked.id]


def test_without_a_key_none_is_sent(second):
    with serving(GOOD) as server:
        second(server)
    assert "Authorization" not in server.asked[0].headers


@pytest.mark.parametrize("refused", ["response_format", "temperature"])
def test_a_server_that_takes_no_schema_or_temperature_is_asked_in_plainer_words(second, refused):
    def act(handler, asked):
        if refused in asked.body:
            send(handler, b'{"error": {"message": "unsupported"}}', status=400)
        else:
            GOOD(handler, asked)

    with serving(act) as server:
        assert states(second(server)) == AGREED
    assert sum(refused in asked.body for asked in server.asked) <= 2


@pytest.mark.parametrize(
    ("status", "why"),
    [
        (500, "answered with status 500"),
        (503, "answered with status 503"),
        (429, "answered with status 429"),
        (401, "answered with status 401"),
        (404, "answered with status 404"),
        (400, "refused the request (status 400)"),
        (204, "answered with status 204"),
    ],
)
def test_a_server_that_fails_leaves_the_check_made_here_and_says_so(second, status, why):
    with serving(lambda handler, _: send(handler, b"", status=status)) as server:
        assert second(server) == alone(why, server)


def test_one_failure_among_good_replies_leaves_the_check_made_here(second):
    def act(handler, asked):
        if asked.id == "key_point:on_chip":
            send(handler, b"busy", status=429)
        else:
            GOOD(handler, asked)

    with serving(act) as server:
        assert second(server) == alone("answered with status 429", server)


def test_a_redirect_is_never_followed(second):
    with (
        serving(GOOD) as other,
        serving(
            lambda handler, _: send(handler, b"", 307, Location=other.endpoint.url), key="a-key"
        ) as server,
    ):
        why = "pointed to another address, which is never followed"
        assert second(server) == alone(why, server)
    assert other.asked == []


@pytest.mark.parametrize(
    "body",
    [b"", b"<html>", b"[]", b"{}", b'{"choices": []}', b"\xff\xfe", b"[" * 60_000, b"null"],
)
def test_what_is_no_chat_completion_is_not_taken_for_one(second, body):
    with serving(lambda handler, _: send(handler, body)) as server:
        assert second(server) == alone("sent something that is no chat completion", server)


def test_a_huge_reply_is_not_read_to_its_end(second):
    def act(handler, _):
        send(handler, b"", Content_Length=str(10**12))
        while not server.released.is_set():
            handler.wfile.write(b" " * 4096)

    with serving(act) as server:
        assert second(server) == alone(f"sent more than {MOST_BYTES:,} bytes", server)


def test_a_compressed_reply_is_not_unpacked(second):
    with serving(lambda handler, _: send(handler, b"x", Content_Encoding="gzip")) as server:
        why = "sent a compressed reply, which was not asked for"
        assert second(server) == alone(why, server)


def test_a_server_that_breaks_off_is_no_judge(second):
    def act(handler, _):
        send(handler, b'{"choices": [', Content_Length="5000")
        handler.close_connection = True

    with serving(act) as server:
        assert second(server) == alone("could not be reached or broke off", server)


def test_where_nothing_listens_the_check_made_here_stands(second):
    with serving(GOOD) as server:
        pass
    assert second(server) == alone("could not be reached or broke off", server)


@pytest.mark.parametrize("begun", [b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\n\r\n{"])
def test_a_slow_server_is_waited_for_until_the_deadline_only(second, begun):
    def act(handler, _):
        handler.wfile.write(begun)
        server.released.wait()
        handler.close_connection = True

    with serving(act, seconds=0.3) as server:
        assert second(server) == alone("did not answer in time", server)


@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\n\r\n"])
def test_a_server_that_drips_does_not_move_the_deadline(second, head):
    def act(handler, _):
        handler.wfile.write(head)
        while not server.released.wait(0.02):
            handler.wfile.write(b"x")

    with serving(act, seconds=0.4) as server:
        assert second(server) == alone("did not answer in time", server)


def test_a_good_judge_that_is_too_slow_in_all_has_no_say(second):
    def act(handler, asked):
        server.released.wait(0.1)
        GOOD(handler, asked)

    with serving(act, seconds=0.25) as server:
        assert second(server) == alone("did not answer in time", server)


def test_a_reply_that_can_not_be_used_leaves_that_claim_as_it_was_checked_here(second):
    replies = {
        "key_point:round_trips": "I think so.",
        "pitfall:ignores_backward": verdict_json("pitfall:ignores_backward", "asserts", "no such"),
        "pitfall:whole_step_3x": verdict_json("pitfall:fewer_flops", "asserts", "Fewer FLOPs"),
    }
    with serving(replying(lambda a: replies.get(a.id) or honest(SEEN)(a))) as server:
        checked = second(server)
    unchanged = {f.ref: f.state for f in CHECKED_HERE}
    assert states(checked) == unchanged
    assert checked.by == "here and by a-model"
    assert checked.note == (
        "The judge's reply could not be used for 3 of the 15 claims, which were checked here alone."
    )


@pytest.mark.parametrize("reply", ["", "I can't help with that.", '{"verdict": "asserts"}'])
def test_a_model_that_can_not_do_the_task_has_no_say(second, reply):
    with serving(replying(lambda _: reply)) as server:
        assert second(server) == alone("did not keep to its task on this answer", server)


def test_more_answers_than_it_takes_wait_their_turn(second):
    with serving(GOOD) as server, ThreadPoolExecutor(8) as threads:
        judge = Judge(server.endpoint, patience=60)
        checks = list(threads.map(lambda _: second(server, judge=judge), range(8)))
    assert [states(checked) for checked in checks] == [AGREED] * 8


def test_where_a_turn_is_long_in_coming_the_check_made_here_stands(second):
    def act(handler, asked):
        server.released.wait()
        handler.close_connection = True

    with serving(act, seconds=2) as server, ThreadPoolExecutor(ANSWERS_AT_ONCE + 1) as threads:
        judge = Judge(server.endpoint, patience=0.01)
        asked = [threads.submit(second, server, judge=judge) for _ in range(ANSWERS_AT_ONCE + 1)]
        checks = [one.result() for one in asked]
    busy = alone("is busy with other answers", server)
    late = alone("did not answer in time", server)
    assert sorted(checks, key=lambda checked: checked == busy) == [late] * ANSWERS_AT_ONCE + [busy]


def test_the_same_answer_is_put_in_the_same_words(second):
    with serving(GOOD) as server:
        second(server)
        second(server)
    bodies = sorted(json.dumps(asked.body) for asked in server.asked)
    assert bodies[::2] == bodies[1::2]


def test_an_answer_as_long_as_may_be_is_judged_whole(second):
    answer = ANSWER + " It is a long story." * 1_000
    with serving(GOOD) as server:
        assert states(second(server, answer)) == AGREED


def test_about_an_answer_without_words_nobody_is_asked(second):
    with serving(GOOD) as server:
        assert second(server, ": …", ()) == Checked(())
    assert server.asked == []


def test_a_learner_is_told_the_servers_name_and_nothing_else_of_its_address(second):
    with serving(GOOD) as server:
        pass
    endpoint = replace(server.endpoint, url=server.endpoint.url.replace("//", "//u:secret@"))
    note = second(server, judge=Judge(endpoint)).note
    assert "secret" not in note
    assert note.startswith("The judge at 127.0.0.1:")
