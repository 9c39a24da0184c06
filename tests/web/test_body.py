"""Bodies of requests are read whole and never too large."""

import json
from collections.abc import Iterator

import anyio
from fastapi import FastAPI
from starlette.testclient import TestClient
from starlette.types import Message

from app.settings import Settings

BEGIN = "/api/v1/attempts"
BODY = {"slug": "fused-normalization-chain", "tier": "basics"}


def test_a_body_is_refused_by_its_declared_length_before_it_is_read(client: TestClient) -> None:
    answer = client.post(BEGIN, content=b"x", headers={"Content-Length": "9" * 30})

    assert answer.status_code == 413
    assert "shorten it" in answer.json()["detail"]


def test_a_body_in_pieces_is_counted_as_it_comes(client: TestClient, settings: Settings) -> None:
    piece = b"x" * (settings.max_body_bytes // 2)
    sent = 0

    def pieces() -> Iterator[bytes]:
        nonlocal sent
        for _ in range(1000):
            sent += 1
            yield piece

    answer = client.post(BEGIN, content=pieces(), headers={"Content-Type": "application/json"})

    assert answer.status_code == 413
    assert "shorten it" in answer.json()["detail"]


def test_who_leaves_in_the_middle_of_a_body_is_no_error(app: FastAPI, client: TestClient) -> None:
    told: list[Message] = []
    pieces = iter([{"type": "http.request", "body": b"{", "more_body": True}])

    async def receive() -> Message:
        return next(pieces, {"type": "http.disconnect"})

    async def send(message: Message) -> None:
        told.append(message)

    scope = {"type": "http", "method": "POST", "path": BEGIN, "query_string": b""}
    anyio.run(app, scope | {"headers": [(b"host", b"localhost")]}, receive, send)

    assert told == []
    assert 'method="POST",route="none",status="499"' in client.get("/metrics").text


def test_the_largest_body_is_let_in_to_the_byte(client: TestClient, settings: Settings) -> None:
    whole = json.dumps({"filler": ""}).encode()
    filler = b"x" * (settings.max_body_bytes - len(whole))
    body = whole[:-2] + filler + whole[-2:]
    as_json = {"Content-Type": "application/json"}

    assert client.post(BEGIN, content=body, headers=as_json).status_code == 422
    assert client.post(BEGIN, content=body + b" ", headers=as_json).status_code == 413


def test_the_longest_answer_gets_in_whatever_it_is_written_in(
    client: TestClient, settings: Settings
) -> None:
    longest = "\N{PLAYING CARD ACE OF SPADES}" * settings.max_answer_characters
    begun = client.post(BEGIN, json=BODY).json()

    as_form = {"text": longest, "seen": ""}
    answered = client.post(f"/attempts/{begun['id']}/draft", data=as_form, follow_redirects=False)
    escaped = json.dumps(BODY | {"answer": longest})
    as_json = client.post(BEGIN, content=escaped, headers={"Content-Type": "application/json"})

    assert answered.status_code < 400
    assert as_json.json()["answer"] == longest
