"""A real server that speaks the chat-completions protocol, with a model that a test writes."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Any

from app.judging.endpoint import Endpoint

KITCHEN = "The kitchen of our office is on the third floor."
_CLAIM = re.compile(r"\AThe claim, with the id (?P<id>\S+): (?P<says>.*?)\n\n----- ", re.DOTALL)
_TEXT = re.compile(
    r"----- answer (?P<mark>\w+) -----\n(?P<text>.*)\n----- answer (?P=mark) -----", re.DOTALL
)


@dataclass(frozen=True)
class Asked:
    """A request as the model sees it: the claim's id, the text to look in, and all of the rest."""

    id: str
    text: str
    body: dict[str, Any]
    headers: dict[str, str]


Model = Callable[[Asked], str]
Act = Callable[[BaseHTTPRequestHandler, Asked], None]


@dataclass
class Server:
    """A running server: its endpoint, what it was asked, and how to let go of what it holds."""

    endpoint: Endpoint
    asked: list[Asked] = field(default_factory=list)
    most_at_once: int = 0
    released: Event = field(default_factory=Event)


@contextmanager
def serving(act: Act, *, seconds: float = 120.0, key: str = "") -> Iterator[Server]:
    """A server that does `act` with each request, on a free port of this machine."""
    http = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    http.daemon_threads = True
    address = f"http://127.0.0.1:{http.server_port}/v1"
    http.known = known = Server(Endpoint(address, "a-model", key, seconds))
    http.act, http.lock, http.under_way = act, Lock(), 0
    thread = Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield known
    finally:
        known.released.set()
        http.shutdown()
        http.server_close()
        thread.join()


def replying(model: Model) -> Act:
    """A well-behaved server whose model is `model`."""

    def act(handler: BaseHTTPRequestHandler, asked: Asked) -> None:
        message = {"role": "assistant", "content": model(asked)}
        send(handler, json.dumps({"choices": [{"index": 0, "message": message}]}).encode())

    return act


def honest(views: dict[str, tuple[str, str]]) -> Model:
    """A model that sees `views` (verdict and quote, by claim) in every answer, and nothing else."""
    known = {"control:kitchen": ("asserts", KITCHEN), **views}

    def model(asked: Asked) -> str:
        verdict, quote = known.get(asked.id, ("neither", ""))
        return verdict_json(asked.id, verdict, quote if quote in asked.text else "")

    return model


def verdict_json(id: str, verdict: str, quote: str) -> str:
    """A reply in the form that was asked for."""
    return json.dumps({"id": id, "verdict": verdict, "quote": quote})


def send(handler: BaseHTTPRequestHandler, body: bytes, status: int = 200, **headers: str) -> None:
    """Answer with `body`; underscores in the headers' names stand for hyphens."""
    handler.send_response(status)
    for name, value in {"Content_Length": str(len(body)), **headers}.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(body)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = _asked(body, dict(self.headers))
        assert self.path == "/v1/chat/completions"
        self._count(+1)
        try:
            self.server.known.asked.append(asked)
            self.server.act(self, asked)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            self._count(-1)

    def _count(self, more: int) -> None:
        with self.server.lock:
            self.server.under_way += more
            known = self.server.known
            known.most_at_once = max(known.most_at_once, self.server.under_way)

    def log_message(self, *_: object) -> None:
        pass


def _asked(body: dict[str, Any], headers: dict[str, str]) -> Asked:
    (user,) = (m["content"] for m in body["messages"] if m["role"] == "user")
    claim, text = _CLAIM.match(user), _TEXT.search(user)
    assert claim and text, "the request is not of the form that was agreed"
    return Asked(claim["id"], text["text"], body, headers)
