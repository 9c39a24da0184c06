"""What is kept of each request: an id, a line in the log, two figures; never its contents."""

import secrets
import time
from typing import Any

import structlog
from fastapi import Request
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars

from app.web.errors import UNEXPECTED
from app.web.metrics import RequestFigures
from app.web.problem import answer

log = structlog.get_logger("ridgepoint.request")

LEFT = 499  # nobody waits for an answer any more; nginx's number for it
QUIET = frozenset({"/static", "/healthz", "/metrics"})


class Noted:
    """Gives each request an id (`request.state.request_id`), and notes how it was answered.

    An error that nothing else caught is answered here, as a page with that id,
    and raised on: the server logs its frames.
    """

    def __init__(self, app: ASGIApp, *, figures: RequestFigures) -> None:
        self.app = app
        self.figures = figures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        await self._noted(scope, receive, send)

    async def _noted(self, scope: Scope, receive: Receive, send: Send) -> None:
        request_id = secrets.token_hex(8)
        scope.setdefault("state", {})["request_id"] = request_id
        bind_contextvars(request_id=request_id)
        began, status, seconds = time.perf_counter(), 0, 0.0

        async def send_noted(message: Message) -> None:
            nonlocal status, seconds
            if message["type"] == "http.response.start":
                status, seconds = message["status"], time.perf_counter() - began
                own = (b"x-request-id", request_id.encode())
                message["headers"] = [*message.get("headers", ()), own]
            await send(message)

        try:
            await self.app(scope, receive, send_noted)
        except ClientDisconnect:
            status = LEFT
        except Exception:
            if not status:
                told = answer(Request(scope), 500, UNEXPECTED)
                await told(scope, receive, send_noted)
            raise
        finally:
            self._keep(scope, status or 500, seconds, time.perf_counter() - began)

    def _keep(self, scope: Scope, status: int, began: float, whole: float) -> None:
        method, route = scope["method"], route_of(scope)
        self.figures.note(method, route, status, began)
        if route in QUIET and status < 500:
            return
        tell = log.error if status >= 500 else log.info
        tell("request", method=method, route=route, status=status, ms=round(whole * 1000, 1))


def route_of(scope: Scope) -> str:
    """The route's template, such as `/questions/{slug}`; `none` where no route was reached."""
    context = scope.get("fastapi", {}).get("effective_route_context")
    route: Any = context or scope.get("route")
    if (path := getattr(route, "path_format", None)) is not None:
        return path
    mounted = scope.get("root_path", "").removeprefix(scope.get("app_root_path", ""))
    return mounted if "app_root_path" in scope and mounted else "none"
