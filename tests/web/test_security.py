"""What every answer carries."""

import re

from fastapi import FastAPI
from starlette.testclient import TestClient

from app.main import create_app
from app.settings import Settings

PLACES = ("/", "/nowhere", "/api/v1/nowhere", "/api/v1/cards", "/healthz", "/static/nowhere")


def policy(client: TestClient, address: str = "/") -> dict[str, str]:
    """The content security policy of an answer, by directive."""
    header = client.get(address).headers["Content-Security-Policy"]
    return dict(part.strip().partition(" ")[::2] for part in header.split(";"))


def test_everything_that_is_not_allowed_is_forbidden(client: TestClient) -> None:
    allowed = policy(client)

    assert allowed["default-src"] == "'none'"
    assert allowed["base-uri"] == allowed["frame-ancestors"] == "'none'"
    assert allowed["form-action"] == allowed["connect-src"] == "'self'"
    assert re.fullmatch(r"'nonce-[\w-]{22}'", allowed["script-src"])
    assert "unsafe" not in " ".join(allowed.values())


def test_no_two_answers_share_a_nonce(client: TestClient) -> None:
    assert len({policy(client)["script-src"] for _ in range(20)}) == 20


def test_every_kind_of_answer_carries_the_headers(client: TestClient) -> None:
    for place in PLACES:
        headers = client.get(place).headers
        assert "default-src 'none'" in headers["Content-Security-Policy"], place
        assert headers["X-Content-Type-Options"] == "nosniff", place
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin", place
        assert headers["Referrer-Policy"] == "same-origin", place
        assert len(headers.get_list("Content-Security-Policy")) == 1, place


def test_every_script_of_a_page_carries_its_nonce_and_no_code(client: TestClient) -> None:
    for place in ("/", "/questions/fused-normalization-chain", "/nowhere"):
        answer = client.get(place)
        nonce = re.search(r"'nonce-([\w-]+)'", answer.headers["Content-Security-Policy"])
        scripts = re.findall(r"<script([^>]*)>(.*?)</script>", answer.text, re.DOTALL)
        assert nonce and all(f'nonce="{nonce[1]}"' in attributes for attributes, _ in scripts)
        assert not any(code.strip() for _, code in scripts), place
        assert not re.search(r"""\son\w+=|\sstyle=|javascript:""", answer.text), place


def test_an_error_that_nothing_caught_carries_the_headers(app: FastAPI) -> None:
    @app.get("/broken")
    def broken() -> None:
        raise RuntimeError("broken on purpose")

    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as client:
        answer = client.get("/broken")

    assert answer.status_code == 500
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


def test_pages_are_nobody_elses(client: TestClient) -> None:
    assert client.get("/").headers["Cache-Control"] == "private, no-cache"


def test_the_learners_cookie_is_out_of_scripts_and_other_sites_reach(client: TestClient) -> None:
    begun = {"slug": "fused-normalization-chain", "tier": "basics"}
    cookie = client.post("/api/v1/attempts", json=begun).headers["Set-Cookie"].lower()

    assert "httponly" in cookie
    assert "samesite=lax" in cookie


def test_a_site_on_https_says_so_and_keeps_its_cookie_there(settings: Settings) -> None:
    secure = create_app(settings.model_copy(update={"secure_cookies": True}))

    with TestClient(secure, base_url="https://localhost") as client:
        assert "max-age=31536000" in client.get("/").headers["Strict-Transport-Security"]


def test_a_forged_cookie_is_nobodys(client: TestClient) -> None:
    begun = {"slug": "fused-normalization-chain", "tier": "basics"}
    client.post("/api/v1/attempts", json=begun)
    signed = client.cookies["ridgepoint"]
    client.cookies.clear()

    answer = client.get("/api/v1/attempts", headers={"Cookie": f"ridgepoint={signed.swapcase()}"})

    assert answer.status_code == 200
    assert answer.json()["attempts"] == []
