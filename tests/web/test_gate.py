"""What is let in: hosts and origins."""

from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.testclient import TestClient

from app.settings import Settings
from app.web.gate import from_our_pages, is_ours, our_names

BEGIN = "/api/v1/attempts"
BODY = {"slug": "fused-normalization-chain", "tier": "basics"}


@pytest.fixture
def stranger(app: FastAPI) -> Iterator[TestClient]:
    """A client that says nothing about where it comes from."""
    with TestClient(app, base_url="http://127.0.0.1:8000") as client:
        yield client


def asked_from(**headers: str) -> Headers:
    """Request headers; underscores stand for hyphens."""
    return Headers({name.replace("_", "-"): value for name, value in headers.items()})


def test_a_form_on_another_site_changes_nothing(stranger: TestClient) -> None:
    answer = stranger.post(BEGIN, json=BODY, headers={"Sec-Fetch-Site": "cross-site"})

    assert answer.status_code == 403
    assert "another site" in answer.json()["detail"]
    assert "set-cookie" not in answer.headers
    assert stranger.get("/api/v1/attempts").json()["attempts"] == []


def test_a_program_that_is_no_browser_may_change_things(stranger: TestClient) -> None:
    assert stranger.post(BEGIN, json=BODY).status_code == 201


def test_reading_is_open_to_links_from_anywhere(stranger: TestClient) -> None:
    answer = stranger.get("/api/v1/cards", headers={"Sec-Fetch-Site": "cross-site"})

    assert answer.status_code == 200


@pytest.mark.parametrize("site", ["same-site", "cross-site", "none", "", "Same-Origin"])
def test_only_the_same_origin_counts_as_ours(site: str) -> None:
    ours = "http://localhost:8000"

    assert from_our_pages(asked_from(sec_fetch_site="same-origin"), "")
    assert not from_our_pages(asked_from(sec_fetch_site=site, origin=ours), ours)


@pytest.mark.parametrize(
    ("origin", "host", "configured", "ours"),
    [
        ("http://10.0.0.5:8000", "10.0.0.5:8000", "", True),
        ("http://evil.example", "10.0.0.5:8000", "", False),
        ("http://10.0.0.5:8001", "10.0.0.5:8000", "", False),
        ("null", "10.0.0.5:8000", "", False),
        ("http://[", "10.0.0.5:8000", "", False),
        ("https://Ridge.example", "web:8000", "https://ridge.example", True),
        ("http://ridge.example", "ridge.example", "https://ridge.example", False),
        ("https://ridge.example.evil", "web:8000", "https://ridge.example", False),
    ],
)
def test_an_old_browser_is_known_by_its_origin(
    origin: str, host: str, configured: str, ours: bool
) -> None:
    assert from_our_pages(asked_from(origin=origin, host=host), configured) is ours


@pytest.mark.parametrize(
    ("host", "ours"),
    [
        ("localhost:8000", True),
        ("LOCALHOST", True),
        ("127.0.0.1:8000", True),
        ("[::1]:8000", True),
        ("192.168.1.7", True),
        ("ridge.example", True),
        ("evil.example", False),
        ("ridge.example.evil.example", False),
        ("evil.example:8000", False),
        ("127.0.0.1.evil.example", False),
        ("", False),
        ("[", False),
    ],
)
def test_a_name_pointed_here_by_someone_else_is_not_ours(host: str, ours: bool) -> None:
    names = our_names(Settings(origin="https://ridge.example"))

    assert is_ours(host, names) is ours


def test_a_foreign_host_is_told_what_to_set(stranger: TestClient) -> None:
    answer = stranger.get("/", headers={"Host": "<b>evil.example"})

    assert answer.status_code == 421
    assert "RIDGEPOINT_ORIGIN" in answer.text
    assert "<b>" not in answer.text


def test_probes_may_ask_by_any_name(stranger: TestClient) -> None:
    assert stranger.get("/healthz", headers={"Host": "web-1:8000"}).status_code == 200


def test_a_nul_in_an_address_leads_nowhere(client: TestClient) -> None:
    assert client.get("/questions/%00").status_code == 404
    assert client.get("/api/v1/cards/a%00b").status_code == 404
