"""`ridgepoint doctor` on the judge."""

import pytest

from app.commands.doctor import _judge
from app.settings import Settings
from tests.judging.server import honest, replying, send, serving


def judged(server, **settings):
    return _judge(Settings(judge_url=server.endpoint.url, judge_model="a-model", **settings))


def test_a_judge_that_works_is_told_to():
    with serving(replying(honest({}))) as server:
        fine, told = judged(server)
    assert (fine, told) == (True, f"judge a-model at {server.endpoint.place} answers as it should")


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (lambda handler, _: send(handler, b"", status=404), "answered with status 404"),
        (replying(lambda _: "Certainly!"), "did not keep to its task on this answer"),
    ],
)
def test_a_judge_that_does_not_is_told_with_the_reason(act, why):
    with serving(act) as server:
        fine, told = judged(server)
    assert (fine, told) == (False, f"judge a-model: {server.endpoint.place} {why}")


def test_without_a_judge_the_setting_is_named():
    fine, told = _judge(Settings(judge_url=""))
    assert not fine
    assert "RIDGEPOINT_JUDGE_URL" in told
