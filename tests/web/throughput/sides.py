"""The two servers that are compared: each one uvicorn process on 127.0.0.1, alive for a while."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from app.settings import ROOT

START_SECONDS = 60
PAGE = "/questions/fused-normalization-chain"


@dataclass(frozen=True, slots=True)
class Side:
    """One address to ask, with the headers to ask it with."""

    name: str
    port: int
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """The whole address."""
        return f"http://127.0.0.1:{self.port}{self.path}"


def ask(
    side: Side, *, method: str = "GET", body: object = None
) -> tuple[int, bytes, Mapping[str, str]]:
    """One request: status, body, headers. OSError while nobody listens."""
    connection = HTTPConnection("127.0.0.1", side.port, timeout=START_SECONDS)
    sent = None if body is None else json.dumps(body)
    kind = {} if body is None else {"Content-Type": "application/json"}
    try:
        connection.request(method, side.path, sent, {**kind, **side.headers})
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.headers
    finally:
        connection.close()


@contextmanager
def page_server(folder: Path) -> Iterator[Side]:
    """Ridgepoint itself as `serve` starts it: SQLite, its migrations, its cards, its log."""
    port = _free_port()
    ours = {"RIDGEPOINT_DATA_DIR": str(folder), "RIDGEPOINT_EMBEDDED_WORKER": "false"}
    command = [sys.executable, "-m", "app.cli", "serve", "--port", str(port)]
    with _running(command, folder / "page.log", ours):
        side = Side("the card's page", port, PAGE)
        _until_up(side)
        yield side


@contextmanager
def bare_server(folder: Path, body: bytes) -> Iterator[Side]:
    """A FastAPI application with one `async def` route that has the bytes in memory."""
    port = _free_port()
    (folder / "body.html").write_bytes(body)
    command = [sys.executable, "-m", "tests.web.throughput.bare", str(folder / "body.html")]
    with _running([*command, str(port)], folder / "bare.log", {}):
        side = Side("a bare route", port, "/")
        _until_up(side)
        yield side


def learner_side(page: Side) -> Side:
    """The same page as a learner sees it whose answer was checked: by their cookie."""
    attempts = Side("", page.port, "/api/v1/attempts")
    answer = "The arithmetic is the same; the tensor is read once and written once."
    begun = {"slug": PAGE.rpartition("/")[2], "tier": "solid", "answer": answer}
    status, told, headers = ask(attempts, method="POST", body=begun)
    if status != 201:
        raise RuntimeError(f"no attempt could be made: {told.decode()}")
    cookie = headers["Set-Cookie"].partition(";")[0]
    return Side("the page of a learner", page.port, PAGE, {"Cookie": cookie})


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def _running(command: list[str], log: Path, extra: Mapping[str, str]) -> Iterator[None]:
    with log.open("wb") as out:
        environment = os.environ | {"PYTHONPATH": str(ROOT), **extra}
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=out, stderr=out)
        try:
            yield
        finally:
            process.terminate()
            process.wait(timeout=30)


def _until_up(side: Side) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        try:
            if ask(side)[0] == 200:
                return
        except (OSError, HTTPException):
            time.sleep(0.1)
    raise RuntimeError(f"{side.name} did not answer within {START_SECONDS} s")
