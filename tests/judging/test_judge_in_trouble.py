"""A judge that fails, breaks off, is slow or sends what it must not: the check made here stands."""

import pytest

from app.judging.endpoint import MOST_BYTES
from tests.judging.conftest import GOOD, alone
from tests.judging.server import send, serving


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
