"""How a route answers with a page, or with the one part of it that htmx asked for."""

from functools import cache
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from app.domain import ladder, practice
from app.runs.result import in_us
from app.settings import ROOT
from app.web import counts, static, words


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
    for tell in (words.ago, words.against, words.length_of_time, words.moment, words.several):
        environment.filters[tell.__name__] = tell
    environment.filters["us"] = in_us
    environment.globals["asset"] = static.address
    environment.globals["chain_counts"] = counts.chain_counts
    environment.globals["prose_of"] = ladder.prose_of
    return environment


def render(template: str, /, **values: Any) -> Markup:
    """A template as HTML that another one can show as it is."""
    return Markup(templates().get_template(template).render(**values))  # its text is escaped


def page(
    request: Request,
    template: str,
    /,
    *,
    part: str | Markup | None = None,
    status: int = 200,
    headers: dict[str, str] | None = None,
    **values: Any,
) -> HTMLResponse:
    """Render `template`, or only `part` when htmx asked for a part of the page.

    `part` is the name of a template, or HTML that was rendered already; then the
    page shows it where it says `part`.
    """
    if isinstance(part, Markup):
        wanted = (
            part if _wants_part(request) else render(template, request=request, part=part, **values)
        )
    else:
        name = part if part and _wants_part(request) else template
        wanted = render(name, request=request, **values)
    answer = HTMLResponse(wanted, status_code=status, headers=headers)
    answer.headers["Vary"] = "HX-Request, HX-Request-Type"
    return answer


def see_other(address: str) -> RedirectResponse:
    """Send the browser on to look at what a form has changed."""
    return RedirectResponse(address, status_code=303)


def _wants_part(request: Request) -> bool:
    return request.headers.get("HX-Request-Type") == "partial"
