"""How a route answers with a page, or with the one part of it that htmx asked for."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse
from fastapi.routing import APIRoute
from fastapi.sse import EventSourceResponse
from starlette.routing import BaseRoute

from app.web.templating import templates

STAND_IN = secrets.token_urlsafe(16)
"""What a kept page has where a request's own nonce will be; no text can hold it by chance."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A page, and its part, that many are shown alike; the page has a stand-in for its nonce."""

    whole: str
    part: str


def page(
    request: Request,
    template: str,
    /,
    *,
    part: str | None = None,
    status: int = 200,
    headers: dict[str, str] | None = None,
    **values: Any,
) -> HTMLResponse:
    """Render `template`, or only `part` when htmx asked for a part of the page."""
    name = part if part and _wants_part(request) else template
    about = {"nonce": request.state.csp_nonce, "here": request.url.path, "device": device(request)}
    return _answer(_render(name, **about, **values), status, headers)


def device(request: Request) -> str:
    """The line on the device here, for the head of a page."""
    return request.app.state.device_line.words()


def keep(template: str, /, *, part: str, device: str, **values: Any) -> Kept:
    """Render a page and its part once, for everyone who will be shown the same."""
    whole = _render(template, nonce=STAND_IN, here="", device=device, **values)
    return Kept(whole, _render(part, **values))


def kept_page(request: Request, kept: Kept) -> HTMLResponse:
    """Answer with a page that was rendered before, or with its part."""
    if _wants_part(request):
        return _answer(kept.part)
    return _answer(kept.whole.replace(STAND_IN, request.state.csp_nonce))


def answer_head(routes: Iterable[BaseRoute]) -> None:
    """Have every page answer HEAD as well: as GET, whose body the server then keeps back.

    Not the event streams, which would go on with nobody to read them, and not the API.
    """
    for route in routes:
        if isinstance(route, APIRoute) and _is_page(route):
            route.methods = {*(route.methods or ()), "HEAD"}


def _is_page(route: APIRoute) -> bool:
    streams = route.response_class is EventSourceResponse
    return not (streams or route.include_in_schema) and "GET" in (route.methods or ())


def see_other(address: str) -> RedirectResponse:
    """Send the browser on to look at what a form has changed."""
    return RedirectResponse(address, status_code=303)


def _wants_part(request: Request) -> bool:
    return request.headers.get("HX-Request-Type") == "partial"


def _render(template: str, **values: Any) -> str:
    return templates().get_template(template).render(**values)


def _answer(body: str, status: int = 200, headers: dict[str, str] | None = None) -> HTMLResponse:
    vary = {"Vary": "HX-Request, HX-Request-Type"}
    return HTMLResponse(body, status_code=status, headers=vary | (headers or {}))
