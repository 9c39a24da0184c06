"""How an error is told: a page, a part of one, or problem details (RFC 9457) under /api."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from fastapi import Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, Field

from app.web.pages import page

MEDIA_TYPE = "application/problem+json"


NAMES = {  # RFC 9110's; the standard library still has older ones for some
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    409: "Conflict",
    413: "Content Too Large",
    421: "Misdirected Request",
    422: "Unprocessable Content",
    429: "Too Many Requests",
    500: "Internal Server Error",
    503: "Service Unavailable",
}
HEADINGS = {
    403: "Not from there",
    404: "Nothing here",
    405: "Not this way",
    409: "Not any more",
    413: "Too long",
    421: "Not by that name",
    422: "That doesn't fit",
    429: "Not yet",
    500: "Something broke here",
    503: "Not right now",
}


class Fault(BaseModel):
    """One thing that is wrong with what was sent."""

    at: Annotated[str, Field(description="Where it is, such as `body.answer`.")]
    problem: Annotated[str, Field(description="What is wrong with it.")]


class Problem(BaseModel):
    """Why a request was not answered as asked, and what to do."""

    type: str = "about:blank"
    title: Annotated[str, Field(description="The name of the status.", examples=["Not Found"])]
    status: Annotated[int, Field(ge=400, le=599, examples=[404])]
    detail: Annotated[str, Field(description="One sentence for a person.")]
    request_id: Annotated[str, Field(description="The id of this request in the server's log.")]
    faults: list[Fault] = []


def answer(
    request: Request,
    status: int,
    detail: str,
    *,
    headers: Mapping[str, str] | None = None,
    faults: Sequence[Fault] = (),
    typed: str = "",
) -> Response:
    """The answer that tells `detail`, one sentence, in the form that this request reads.

    A page gives back what was `typed`: without scripts nothing else may still hold it.
    """
    problem = Problem(
        title=NAMES.get(status, "Error"),
        status=status,
        detail=detail,
        request_id=request.state.request_id,
        faults=list(faults),
    )
    if is_api(request):
        content = problem.model_dump()
        return JSONResponse(content, status, headers=headers, media_type=MEDIA_TYPE)
    return page(
        request,
        "error.html",
        part="_error.html",
        status=status,
        headers=dict(headers or {}),
        heading=HEADINGS.get(status, "That didn't work"),
        problem=problem,
        typed=typed,
    )


def is_api(request: Request) -> bool:
    """Whether a program asks, by the address."""
    return request.scope["path"].startswith("/api/")
