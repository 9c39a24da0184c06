"""Errors are told in one sentence, as a page, a part of one, or problem details."""

import pytest
from fastapi import FastAPI, HTTPException
from starlette.testclient import TestClient

ATTEMPTS = "/api/v1/attempts"
BEGIN = {"slug": "fused-normalization-chain", "tier": "basics"}


def test_an_address_that_leads_nowhere_says_where_to_go(client: TestClient) -> None:
    answer = client.get("/nowhere")

    assert answer.status_code == 404
    assert "There is nothing here" in answer.text
    assert answer.text.startswith("<!doctype html>")


def test_under_the_api_errors_are_problem_details(client: TestClient) -> None:
    answer = client.get("/api/v1/nowhere")
    told = answer.json()

    assert answer.headers["Content-Type"] == "application/problem+json"
    assert (told["status"], told["title"]) == (404, "Not Found")
    assert told["request_id"] == answer.headers["X-Request-ID"]


def test_htmx_gets_the_part_alone(client: TestClient) -> None:
    answer = client.get("/nowhere", headers={"HX-Request": "true", "HX-Request-Type": "partial"})

    assert answer.status_code == 404
    assert "There is nothing here" in answer.text
    assert "<html" not in answer.text


def test_a_wrong_method_names_every_right_one(client: TestClient) -> None:
    answer = client.delete(ATTEMPTS)

    assert answer.status_code == 405
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "POST"}
    assert "DELETE" in answer.json()["detail"]


def test_what_does_not_fit_is_named_and_never_repeated(client: TestClient) -> None:
    sent = {"slug": "fused-normalization-chain", "tier": "a private word", "more": 1}
    answer = client.post(ATTEMPTS, json=sent)

    assert answer.status_code == 422
    assert [fault["at"] for fault in answer.json()["faults"]] == ["body.tier", "body.more"]
    assert "a private word" not in answer.text


@pytest.mark.parametrize(
    "body",
    [
        b'{"slug": "fused-normalization-chain", "tier": "basics", "answer": "\\u0000"}',
        b'{"slug": "fused-normalization-chain", "tier": "basics", "answer": "\\ud800"}',
        b'{"slug": "fused-normalization-chain", "tier": "basics", "\\ud800": 1}',
        b'{"slug": "\\u0000", "tier": "basics"}',
        b'{"slug": 1e999, "tier": NaN}',
        b'{"slug": ' + b"9" * 5000 + b"}",
        b"[" * 20_000,
        b"\xff\xfe",
        b"{",
        b"",
    ],
)
def test_bytes_that_no_database_can_hold_are_refused(patient: TestClient, body: bytes) -> None:
    answer = patient.post(ATTEMPTS, content=body, headers={"Content-Type": "application/json"})

    assert 400 <= answer.status_code < 500
    assert answer.json()["detail"].endswith(".")


@pytest.mark.parametrize("number", ["0", "-1", "2147483648", "9" * 40, "%00", "1.5", "x"])
def test_ids_that_no_row_can_have_are_refused(patient: TestClient, number: str) -> None:
    assert 400 <= patient.get(f"{ATTEMPTS}/{number}").status_code < 500
    assert 400 <= patient.get(f"{ATTEMPTS}?before={number}").status_code < 500
    assert 400 <= patient.get(f"/attempts/{number}").status_code < 500


def test_a_page_whose_address_does_not_fit_is_not_there(client: TestClient) -> None:
    answer = client.get("/attempts/x")

    assert answer.status_code == 404
    assert "There is nothing here" in answer.text


def test_an_error_that_nothing_caught_names_its_number_and_no_more(
    app: FastAPI, patient: TestClient
) -> None:
    @app.get("/broken")
    def broken() -> None:
        raise RuntimeError("a password is in here")

    answer = patient.get("/broken")

    assert answer.status_code == 500
    assert answer.headers["X-Request-ID"] in answer.text
    assert "password" not in answer.text


def test_what_a_route_says_itself_is_kept(app: FastAPI, patient: TestClient) -> None:
    @app.get("/later")
    def later() -> None:
        raise HTTPException(429, "The queue is full: come back in 40 s.", {"Retry-After": "40"})

    answer = patient.get("/later")

    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "40"
    assert "come back in 40 s" in answer.text


@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"]
)
def test_a_body_sent_where_nothing_is_does_no_more_than_any_other(
    patient: TestClient, kind: str
) -> None:
    told = patient.post(
        "/nowhere", content=b"text=\xff%00%ed%a0%80", headers={"Content-Type": kind}
    )
    assert told.status_code == 404


@pytest.mark.parametrize("address", ["/experiments/chain/runs", "/experiments/chain/ledger"])
def test_a_form_of_more_fields_than_can_be_read_is_told_so(client: TestClient, address: str):
    answer = client.post(address, data={f"field{n}": "1" for n in range(1001)})

    assert answer.status_code == 400
    assert "Too many fields" in answer.text
