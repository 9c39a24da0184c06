"""What all of the JSON API under /api/v1 shares: its errors, its common values, its description."""

from typing import Annotated, Any

from fastapi import FastAPI, Path
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel, ConfigDict, Field

from app.web.problem import MEDIA_TYPE, Problem

PREFIX = "/api/v1"
DESCRIPTION = """
Cards, attempts at them, checks of answers, and benchmark runs.

A learner is known by the signed cookie `ridgepoint`, which the first attempt or
run sets: keep it to see the same learner's attempts again. What is read without
it belongs to nobody. Errors are problem details (RFC 9457).
"""
REASONS = {
    404: "There is no such thing, or it is another learner's.",
    409: "It has ended already.",
    422: "What was sent doesn't fit; `faults` names every place.",
    429: "Too much was asked for; `Retry-After` says when to come back.",
    503: "It can't be done now; try it again later.",
}
Responses = dict[int | str, dict[str, Any]]

WITHOUT_NUL = r"^[^\x00]*$"  # PostgreSQL's text can't hold it

SLUG = r"^[a-z0-9-]{1,100}$"
SLUG_TOLD: dict[str, Any] = {
    "pattern": SLUG,
    "description": "A card's name.",
    "examples": ["fused-normalization-chain"],
}
Slug = Annotated[str, Field(**SLUG_TOLD)]
SlugInPath = Annotated[str, Path(**SLUG_TOLD)]


class Sent(BaseModel):
    """A body that holds what it may hold and nothing else, with no value bent to fit."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Shown(BaseModel):
    """A part of an answer, read off a value of the program's own."""

    model_config = ConfigDict(from_attributes=True)


def problems(*statuses: int) -> Responses:
    """The errors that a route documents; any other comes in the same form."""
    known: Responses = {s: {"model": Problem, "description": REASONS[s]} for s in statuses}
    return known | {"default": {"model": Problem, "description": "Any other error."}}


def describe(app: FastAPI) -> None:
    """Have the OpenAPI description tell that errors are problem details."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = get_openapi(
                title=app.title,
                version=app.version,
                description=DESCRIPTION,
                routes=app.routes,
            )
            _mark_problems(app.openapi_schema)
        return app.openapi_schema

    app.openapi = openapi


def _mark_problems(schema: dict[str, Any]) -> None:
    for operations in schema["paths"].values():
        for operation in operations.values():
            for status, response in operation["responses"].items():
                if not status.startswith("2"):
                    response["content"] = {MEDIA_TYPE: response["content"]["application/json"]}
