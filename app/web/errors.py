"""Which error becomes which answer. Every handler tells it in one sentence that says what to do."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.routing import iter_route_contexts
from sqlalchemy.exc import DataError, SQLAlchemyError
from starlette.exceptions import HTTPException

from app.domain.practice import as_kept
from app.store import trouble
from app.web.problem import Fault, answer, is_api

SENTENCES = {
    401: "This needs the cookie of a learner: open the home page first.",
    404: "There is nothing here: check the address, or start again from the home page.",
    413: "That is more than can be sent at once: shorten it, then send it again.",
    429: "That was asked too often: wait a little, then ask again.",
}
FORM = "application/x-www-form-urlencoded"
UNEXPECTED = "Something went wrong here, and nothing of this request was kept: try it again."
UNSTORABLE = "What was sent holds a character or a number that can't be stored: take it out."


def install(app: FastAPI) -> None:
    """Have `app` tell its errors this way."""
    app.add_exception_handler(HTTPException, on_http_exception)
    app.add_exception_handler(RequestValidationError, on_invalid_request)
    app.add_exception_handler(SQLAlchemyError, on_database_error)


async def on_http_exception(request: Request, error: Any) -> Response:
    """An error that a route or the router raised on purpose, with its own status."""
    headers = dict(error.headers or {})
    if error.status_code == 405:
        headers["Allow"] = ", ".join(_methods(request))
    told, typed = _sentence(request, error, headers), await _typed(request)
    return answer(request, error.status_code, told, headers=headers, typed=typed)


async def on_invalid_request(request: Request, error: Any) -> Response:
    """Something sent that doesn't fit: 422, the first fault as the sentence, and all of them.

    A page whose address doesn't fit is one that isn't there.
    """
    if not is_api(request) and all(one["loc"][0] == "path" for one in error.errors()):
        return answer(request, 404, SENTENCES[404])
    faults = [_fault(one) for one in error.errors()]
    return answer(request, 422, _first(faults), faults=faults)


async def on_database_error(request: Request, error: Any) -> Response:
    """The database can't serve (503), or can't hold what was sent (422); else it is our fault."""
    if (told := trouble.sentence(error)) is not None:
        typed = await _typed(request)
        return answer(request, 503, told, headers={"Retry-After": "5"}, typed=typed)
    if isinstance(error, DataError):
        return answer(request, 422, UNSTORABLE)
    raise error


async def _typed(request: Request) -> str:
    """The text in the form that this page's request sent, if it sent one."""
    if is_api(request) or not request.headers.get("content-type", "").startswith(FORM):
        return ""
    with suppress(HTTPException, RuntimeError):  # no form, or one that broke while it was read
        text = (await request.form()).get("text")
        return as_kept(text) if isinstance(text, str) else ""
    return ""


def _sentence(request: Request, error: HTTPException, headers: Mapping[str, str]) -> str:
    """What the raiser wrote, unless it is only the status's name."""
    if error.status_code == 405:
        return f"This address doesn't take {_clean(request.method)}: use {headers['Allow']}."
    if error.detail.endswith("."):
        return error.detail
    return SENTENCES.get(error.status_code, f"{error.detail}.")


def _methods(request: Request) -> list[str]:
    """Every method that this address takes: the router itself names those of one route only."""
    path = request.scope["path"]
    routes = iter_route_contexts(request.app.routes)
    here = [route for route in routes if route.methods and route.path_regex.match(path)]
    methods = {method for route in here for method in route.methods or ()}
    return sorted(methods) or ["GET", "HEAD"]  # the static files are no route of ours


def _fault(error: Mapping[str, Any]) -> Fault:
    """One of pydantic's errors, without the value it was about: that may be an answer's text."""
    if error["type"] == "json_invalid":
        return Fault(at="body", problem=f"This isn't JSON from character {error['loc'][-1]} on")
    return Fault(at=_place(error["loc"]), problem=_clean(str(error["msg"])))


def _place(steps: Iterable[Any]) -> str:
    return _clean(".".join(str(step) for step in steps))


def _clean(text: str) -> str:
    """`text` as valid UTF-8: a key in the body may hold half a surrogate pair."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _first(faults: list[Fault]) -> str:
    if not faults:
        return "What was sent doesn't fit."
    field = faults[0].at.partition(".")[2] or faults[0].at
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    return f"{field}: {faults[0].problem}{more}."
