"""The program behind `make bench-web` measures what it says, on small servers of its own."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from inspect import iscoroutinefunction

import pytest

from tests.web.throughput.bare import bare_app
from tests.web.throughput.pace import paced
from tests.web.throughput.rate import Round, middle
from tests.web.throughput.sides import Side


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


@pytest.fixture
def server() -> Iterator[Side]:
    """A small HTTP server of the standard library's."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as httpd:
        httpd.daemon_threads = True
        httpd.block_on_close = False
        thread = threading.Thread(target=httpd.serve_forever, args=(0.01,))
        thread.start()
        yield Side("small", httpd.server_port, "/")
        httpd.shutdown()
        thread.join()


def test_every_request_that_was_due_is_sent_and_timed(server: Side) -> None:
    pace = paced(server, rate=200, seconds=0.5)

    assert pace.sent == 100
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
