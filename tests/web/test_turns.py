"""Many requests at once wait for their turn; none holds what another waits for."""

import threading
from concurrent.futures import ThreadPoolExecutor

import anyio
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from app.web.deps import Changing, CurrentLearner
from app.web.turns import AT_WORK, CHANGING, InTurn

BEGIN = {"slug": "fused-normalization-chain", "tier": "basics"}
MANY = 3 * AT_WORK


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_more_writers_than_threads_are_all_served(app: FastAPI, client: TestClient) -> None:
    """Each holds SQLite's write lock between two threads: without turns nothing moved."""

    @app.post("/slow")
    def slow(session: Changing, learner: CurrentLearner) -> int:
        session.commit()
        return learner.id

    crowd = threading.Barrier(MANY)

    def write(_number: int) -> int:
        crowd.wait(timeout=120)
        return client.post("/slow").status_code

    with ThreadPoolExecutor(MANY) as threads:
        assert set(threads.map(write, range(MANY))) == {200}


async def at_once(app: InTurn, count: int, method: str = "GET") -> None:
    """Ask `count` times at once, and throw the answers away."""

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(_message: Message) -> None:
        return None

    async with anyio.create_task_group() as group:
        for _ in range(count):
            group.start_soon(app, {"type": "http", "method": method}, receive, send)


def test_no_more_than_a_turn_each_are_at_work_and_all_get_one() -> None:
    working = most = served = 0

    async def inner(_scope: Scope, _receive: Receive, send: Send) -> None:
        nonlocal working, most, served
        working += 1
        most = max(most, working)
        await anyio.sleep(0.001)
        working -= 1
        await send({"type": "http.response.start", "status": 200, "headers": []})
        served += 1

    anyio.run(at_once, InTurn(inner), MANY)

    assert (most, served) == (AT_WORK, MANY)


def test_a_stream_that_goes_on_takes_no_turn() -> None:
    streaming = 0

    async def inner(_scope: Scope, _receive: Receive, send: Send) -> None:
        nonlocal streaming
        await send({"type": "http.response.start", "status": 200, "headers": []})
        streaming += 1
        while streaming < MANY:  # each goes on until all have begun
            await anyio.sleep(0.001)

    async def all_begin() -> None:
        with anyio.fail_after(120):
            await at_once(InTurn(inner), MANY)

    anyio.run(all_begin)

    assert streaming == MANY


def test_a_request_that_fails_gives_its_turn_back() -> None:
    failed = 0

    async def inner(_scope: Scope, _receive: Receive, _send: Send) -> None:
        nonlocal failed
        failed += 1
        raise RuntimeError("broken on purpose")

    async def one_after_the_other() -> None:
        app = InTurn(inner)
        for _ in range(MANY):
            with pytest.raises(ExceptionGroup):
                await at_once(app, 1)

    anyio.run(one_after_the_other)

    assert failed == MANY


def test_pages_can_be_read_while_all_that_change_something_wait_for_the_database() -> None:
    locked = anyio.Event()
    waiting = read = 0

    async def inner(scope: Scope, _receive: Receive, send: Send) -> None:
        nonlocal waiting, read
        if scope["method"] == "POST":
            waiting += 1
            await locked.wait()
        else:
            read += 1
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def read_meanwhile() -> None:
        app = InTurn(inner)
        with anyio.fail_after(120):
            async with anyio.create_task_group() as group:
                group.start_soon(at_once, app, MANY, "POST")
                while waiting < CHANGING:
                    await anyio.sleep(0.001)
                await at_once(app, MANY)
                assert waiting == CHANGING
                locked.set()

    anyio.run(read_meanwhile)

    assert (waiting, read) == (MANY, MANY)
