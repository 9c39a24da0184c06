"""A judge's say in a check, over real HTTP: when it is good, and when it is not."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from app.domain.checked import Checked
from app.judging.endpoint import CONNECTIONS
from app.judging.judge import ANSWERS_AT_ONCE, Judge
from tests.judging.conftest import AGREED, ANSWER, CHECKED_HERE, GOOD, SEEN, alone, states
from tests.judging.server import honest, replying, send, serving, verdict_json


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
