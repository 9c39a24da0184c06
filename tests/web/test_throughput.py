"""The program behind `make bench-web` measures what it says, on small servers of its own."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from inspect import iscoroutinefunction

import pytest

from tests.web.throughput import verdict
from tests.web.throughput.bare import bare_app
from tests.web.throughput.pace import Pace, paced
from tests.web.throughput.rate import Round, middle
from tests.web.throughput.sides import Side
from tests.web.throughput.verdict import Status, Verdict


class Answers(BaseHTTPRequestHandler):
    """Says `hello` in two packets, or 404 to `/missing`."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        body = b"hello" * 1000
        self.send_response(404 if self.path == "/missing" else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[Side]:
    """A small HTTP server of the standard library's."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as httpd:
        httpd.daemon_threads = True
        httpd.block_on_close = False
        thread = threading.Thread(target=httpd.serve_forever, args=(0.01,))
        thread.start()
        yield Side("small", httpd.server_port, "/")
        httpd.shutdown()
        thread.join()


@pytest.fixture
def server() -> Iterator[Side]:
    """One that answers at once."""
    with serving(Answers) as side:
        yield side


def test_every_request_that_was_due_is_sent_and_timed(server: Side) -> None:
    pace = paced(server, rate=200, seconds=0.5)

    assert pace.sent == 100
    assert 0 < pace.answered <= 100 / 0.495
    assert 0 < pace.median_ms <= pace.p99_ms
    assert pace.spread == pytest.approx(pace.p99_ms / pace.median_ms)


def test_an_answer_that_is_no_200_is_no_measurement(server: Side) -> None:
    with pytest.raises(OSError, match="instead of 200"):
        paced(Side("missing", server.port, "/missing"), rate=100, seconds=0.1)


def test_the_ratio_is_that_of_the_middle_round() -> None:
    rounds = [Round(100, 50), Round(1000, 300), Round(200, 20)]

    assert middle(rounds) == Round(1000, 300)
    assert middle(rounds).ratio == 0.3


def test_the_bare_route_runs_in_no_thread() -> None:
    """FastAPI's fastest way to answer, so the hardest to be compared with."""
    (route,) = [route for route in bare_app(b"").routes if route.path == "/"]

    assert iscoroutinefunction(route.endpoint)


class Stalls(Answers):
    """Says nothing for a while, on every connection, in the middle of the load."""

    def do_GET(self) -> None:
        time.sleep(0.3)
        super().do_GET()


def test_a_server_that_holds_every_connection_is_not_a_client_that_is_late() -> None:
    with serving(Stalls) as server:
        pace = paced(server, rate=400, seconds=1.0)

    assert pace.p99_ms > 900  # 400 due, 64 connections, 0.3 s each: the last wait 1 s and more
    assert pace.late_p99_ms < pace.p99_ms / 2


def a_pace(
    median_ms: float, p99_ms: float, late_p99_ms: float = 0.1, answered: float = 1000.0
) -> Pace:
    return Pace(1000.0, 5000, answered, median_ms, p99_ms, late_p99_ms)


def the_rounds(*ratios: float) -> list[Round]:
    return [Round(1000.0, 1000.0 * ratio) for ratio in ratios]


QUIET = a_pace(0.3, 0.5)
GOOD = a_pace(0.56, 0.95)


@pytest.mark.parametrize(
    ("page", "status", "words"),
    [
        (GOOD, Status.MET, "p99 is met: 1.7 × the median, under 5 ×."),
        (a_pace(0.5, 2.5), Status.MISSED, "p99 is missed: 5.0 × the median, not under 5 ×."),
        (a_pace(20.0, 900.0, 9.0), Status.MISSED, "p99 is missed: 45.0 × the median"),
        (a_pace(2e3, 4e3, 9.0, 800.0), Status.MISSED, "fell behind, 800 of 1,000 requests/s were"),
    ],
)
def test_p99_is_held_against_the_median(page: Pace, status: Status, words: str) -> None:
    said = verdict.verdicts(the_rounds(0.36, 0.35, 0.34), page, QUIET)

    assert [one.status for one in said] == [Status.MET, status]
    assert words in said[1].words


@pytest.mark.parametrize(("ratio", "status"), [(0.4, Status.MET), (0.1, Status.MISSED)])
@pytest.mark.parametrize(
    ("page", "bare", "words"),
    [
        (a_pace(9.0, 30.0, 12.0), QUIET, "the client itself was late by 12.00 ms at its p99, more"),
        (a_pace(0.5, 9.0, 4.0), QUIET, "more than half the page's median of 0.50 ms. Measure"),
        (a_pace(2.0, 6.0), a_pace(0.3, 1.9), "p99 of the bare route, at the same relative load"),
        (a_pace(2.0, 40.0), a_pace(0.3, 1.5), "is 5.0 × its median"),
        (GOOD, a_pace(5e3, 9e3, 1.5, 700.0), "bare route fell behind: 700 of 1,000 requests/s"),
    ],
)
def test_p99_is_not_judged_where_the_machine_set_it_and_the_ratio_still_is(
    ratio: float, status: Status, page: Pace, bare: Pace, words: str
) -> None:
    on_ratio, said = verdict.verdicts(the_rounds(ratio), page, bare)

    assert (on_ratio.status, said.status) == (status, Status.NONE)
    assert said.words.startswith("No verdict on p99: ")
    assert words in said.words


@pytest.mark.parametrize(
    ("ratios", "status", "words"),
    [
        ((0.36, 0.35, 0.34), Status.MET, "The ratio is met: 0.350, at least 0.25."),
        ((0.36, 0.35, 0.34, 0.37, 0.12), Status.MET, "0.350"),
        ((0.20, 0.21, 0.22), Status.MISSED, "The ratio is missed: 0.210, under 0.25."),
        ((0.20, 0.21, 0.22, 0.19, 0.31), Status.MISSED, "0.210"),
        ((0.20, 0.22, 0.26, 0.30, 0.31), Status.NONE, "go from 0.220 to 0.300, to both sides"),
        ((0.25,), Status.MET, "0.250"),
    ],
)
def test_the_ratio_is_judged_only_where_its_rounds_agree(
    ratios: tuple[float, ...], status: Status, words: str
) -> None:
    said, on_p99 = verdict.verdicts(the_rounds(*ratios), GOOD, QUIET)

    assert (said.status, on_p99.status) == (status, Status.MET)
    assert words in said.words


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        (Status.MET, Status.MET, Status.MET),
        (Status.MET, Status.NONE, Status.NONE),
        (Status.MISSED, Status.NONE, Status.MISSED),
        (Status.MISSED, Status.MET, Status.MISSED),
    ],
)
def test_what_was_missed_is_not_made_good_by_what_can_not_be_said(
    one: Status, other: Status, both: Status
) -> None:
    said = [Verdict(status, "") for status in (one, other)]

    assert verdict.together(said) is verdict.together(said[::-1]) is both
