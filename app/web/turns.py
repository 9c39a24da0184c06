"""How many requests are at work at a time.

A route's sessions and the route itself run in threads, one after the other.
With more requests than threads, those that hold a connection, or SQLite's
write lock, would wait for a thread, and every thread for them: nothing would
move until the time limits of both. So a request waits here, holding nothing.
"""

from asyncio import Semaphore

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.store.engine import MOST_CONNECTIONS
from app.web.gate import SAFE_METHODS

AT_WORK = MOST_CONNECTIONS // 2  # a route may read and write in a session each
CHANGING = AT_WORK * 3 // 4


class InTurn:
    """Lets `AT_WORK` requests work at a time; a turn ends when the answer begins.

    Sessions end before the answer begins, so an event stream that goes on for
    hours takes no turn. Of those that change something fewer are let in: while a
    locked database keeps them all waiting, pages can still be read.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.turns = Semaphore(AT_WORK)
        self.changing = Semaphore(CHANGING)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if scope["method"] in SAFE_METHODS:
            await self._in_turn(scope, receive, send)
            return
        async with self.changing:
            await self._in_turn(scope, receive, send)

    async def _in_turn(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.turns.acquire()
        ended = False

        def end() -> None:
            nonlocal ended
            if not ended:
                ended = True
                self.turns.release()

        async def send_after_turn(message: Message) -> None:
            end()
            await send(message)

        try:
            await self.app(scope, receive, send_after_turn)
        finally:
            end()
