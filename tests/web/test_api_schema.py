"""The JSON API keeps every promise of its description, for anything that is sent to it.

Schemathesis makes requests from the OpenAPI document, fitting and unfitting
ones, and holds each answer to it. The examples are the same in every run.
"""

import re
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from starlette.testclient import TestClient

from app.main import create_app
from app.settings import Settings
from app.web.api import PREFIX, SLUG

EXAMPLES = 40  # of each operation
BEGIN = {"slug": "fused-normalization-chain", "tier": "basics"}

UNASKED = "postgresql+psycopg://nobody@127.0.0.1:9/none"  # a description needs no database
description = create_app(
    Settings(secret="asked for by no one, ever, at all", database_url=UNASKED)
).openapi()
described = schemathesis.openapi.from_dict(description)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Schemathesis asks for the host `testserver`."""
    return settings.model_copy(update={"origin": "http://testserver"})


@pytest.fixture
def learner(app: FastAPI) -> dict[str, str]:
    """The cookie of a learner with an attempt handed in and one open."""
    with TestClient(app) as client:
        client.post(f"{PREFIX}/attempts", json=BEGIN | {"answer": "The arithmetic is the same."})
        client.post(f"{PREFIX}/attempts", json=BEGIN).raise_for_status()
        return {"Cookie": f"ridgepoint={client.cookies['ridgepoint']}"}


@described.hook
def map_body(context: Any, body: Any) -> Any:
    """Have what is sent about any card be about the one that there is."""
    if isinstance(body, dict) and re.fullmatch(SLUG[1:-1], str(body.get("slug"))):
        body["slug"] = BEGIN["slug"]
    return body


@described.parametrize()
@hypothesis_settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_as_described(
    case: schemathesis.Case, app: FastAPI, learner: dict[str, str]
) -> None:
    case.call_and_validate(app=app, base_url="http://testserver", headers=learner)


def test_only_the_api_is_described() -> None:
    assert all(path.startswith(f"{PREFIX}/") for path in description["paths"])


def test_every_operation_documents_its_errors_as_problem_details() -> None:
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            answers = operation["responses"]
            errors = {status: a for status, a in answers.items() if not status.startswith("2")}
            assert "default" in errors, (method, path)
            for answer in errors.values():
                assert list(answer["content"]) == ["application/problem+json"], (method, path)
