"""How a route answers with a page, or with the one part of it that htmx asked for."""

from functools import cache
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from app.domain import practice
from app.settings import ROOT


@cache
def templates() -> Environment:
    """The templates; an unknown name in one is an error, and all text is escaped."""
    environment = Environment(
        loader=FileSystemLoader(ROOT / "templates"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["clock"] = practice.clock
    return environment


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
    body = templates().get_template(name).render(request=request, **values)
    answer = HTMLResponse(body, status_code=status, headers=headers)
    answer.headers["Vary"] = "HX-Request, HX-Request-Type"
    return answer


def _wants_part(request: Request) -> bool:
    return request.headers.get("HX-Request-Type") == "partial"
