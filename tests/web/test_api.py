"""The JSON API does what the pages do, by the same functions."""

from fastapi import FastAPI
from sqlalchemy import func, select
from starlette.testclient import TestClient

from app.domain.card import Card
from app.store.engine import Database
from app.store.models import Base

ATTEMPTS = "/api/v1/attempts"
BEGIN = {"slug": "fused-normalization-chain", "tier": "solid"}
ANSWER = "Fusing cuts the FLOPs.\r\nThe tensor is read once and written once."


def rows(database: Database) -> dict[str, int]:
    """How many rows each table has."""
    with database.reading() as session:
        counted = {
            name: select(func.count()).select_from(t) for name, t in Base.metadata.tables.items()
        }
        return {name: session.scalar(query) or 0 for name, query in counted.items()}


def stranger(app: FastAPI) -> TestClient:
    """Someone without a cookie."""
    return TestClient(app, base_url="http://127.0.0.1:8000")


def test_a_card_is_told_whole_and_without_the_checkers_patterns(
    client: TestClient, card: Card
) -> None:
    (head,) = client.get("/api/v1/cards").json()["cards"]
    told = client.get(f"/api/v1/cards/{card.slug}").json()

    assert head["content_hash"] == told["content_hash"] == card.content_hash
    assert [point["id"] for point in told["key_points"]] == [p.id for p in card.key_points]
    assert [pitfall["instead"] for pitfall in told["pitfalls"]] == [
        pitfall.instead for pitfall in card.pitfalls
    ]
    assert told["tiers"][0]["answer"]["text"] == card.tiers[0].answer.text  # type: ignore[union-attr]
    assert "cues" not in told["key_points"][0]


def test_an_attempt_is_begun_handed_in_and_read_again(client: TestClient) -> None:
    begun = client.post(ATTEMPTS, json=BEGIN)
    handed_in = client.put(f"{begun.headers['Location']}/answer", json={"answer": ANSWER})
    read = client.get(begun.headers["Location"])

    assert (begun.status_code, handed_in.status_code, read.status_code) == (201, 200, 200)
    assert begun.json()["handed_in_at"] is None
    assert handed_in.json() == read.json()
    assert read.json()["answer"] == ANSWER.replace("\r\n", "\n")
    assert read.json()["checked_at"] is not None
    assert read.json()["check_trouble"] is None


def test_every_finding_shows_the_very_words_of_the_answer(client: TestClient, card: Card) -> None:
    told = client.post(ATTEMPTS, json=BEGIN | {"answer": ANSWER}).json()

    assert len(told["findings"]) == len(card.key_points) + len(card.pitfalls)
    for finding in told["findings"]:
        if finding["start"] is None:
            assert finding["words"] is None
        else:
            assert finding["words"] == told["answer"][finding["start"] : finding["end"]]
    assert any(finding["words"] for finding in told["findings"])


def test_a_card_has_one_open_attempt_and_a_second_beginning_joins_it(client: TestClient) -> None:
    first = client.post(ATTEMPTS, json=BEGIN)
    second = client.post(ATTEMPTS, json=BEGIN | {"tier": "basics"})

    assert (first.status_code, second.status_code) == (201, 200)
    assert second.json()["id"] == first.json()["id"]
    assert second.json()["tier"] == "solid"


def test_an_attempt_takes_one_answer(client: TestClient) -> None:
    place = client.post(ATTEMPTS, json=BEGIN | {"answer": ANSWER}).headers["Location"]
    again = client.put(f"{place}/answer", json={"answer": "Another."})

    assert again.status_code == 409
    assert client.get(place).json()["answer"] != "Another."


def test_what_is_begun_here_goes_on_on_the_page(client: TestClient) -> None:
    begun = client.post(ATTEMPTS, json=BEGIN).json()
    page = client.get(f"/questions/{BEGIN['slug']}").text
    client.post(f"/attempts/{begun['id']}/answer", data={"text": ANSWER})

    assert f"/attempts/{begun['id']}/answer" in page
    assert client.get(f"{ATTEMPTS}/{begun['id']}").json()["answer"] == ANSWER.replace("\r\n", "\n")


def test_another_learners_attempt_is_not_there(app: FastAPI, client: TestClient) -> None:
    place = client.post(ATTEMPTS, json=BEGIN).headers["Location"]

    with stranger(app) as other:
        other.post(ATTEMPTS, json=BEGIN)
        assert other.get(place).status_code == 404
        assert other.put(f"{place}/answer", json={"answer": "x"}).status_code == 404
        assert len(other.get(ATTEMPTS).json()["attempts"]) == 1


def test_reading_makes_nobody_a_learner(app: FastAPI, database: Database) -> None:
    with stranger(app) as other:
        answers = [other.get(ATTEMPTS), other.get("/api/v1/cards"), other.get(f"{ATTEMPTS}/1")]

    assert not any("Set-Cookie" in answer.headers for answer in answers)
    assert rows(database)["learner"] == 0


def test_attempts_are_listed_newest_first_a_page_at_a_time(client: TestClient) -> None:
    for _ in range(5):
        client.post(ATTEMPTS, json=BEGIN | {"answer": ANSWER})

    found, before = list[int](), ""
    while True:
        page = client.get(f"{ATTEMPTS}?limit=2{before}").json()
        found += [attempt["id"] for attempt in page["attempts"]]
        if page["next_before"] is None:
            break
        before = f"&before={page['next_before']}"

    assert found == sorted(found, reverse=True)
    assert len(found) == 5


def test_a_check_by_itself_stores_nothing(client: TestClient, database: Database) -> None:
    before = rows(database)
    told = client.post("/api/v1/check", json={"slug": BEGIN["slug"], "answer": ANSWER})

    assert told.status_code == 200
    assert rows(database) == before
    assert "Set-Cookie" not in told.headers


def test_the_same_answer_gets_the_same_findings(client: TestClient) -> None:
    asked = {"slug": BEGIN["slug"], "answer": ANSWER}
    kept = client.post(ATTEMPTS, json=BEGIN | {"answer": ANSWER}).json()
    first, second = (client.post("/api/v1/check", json=asked).json() for _ in range(2))

    assert first == second
    assert first["findings"] == [
        {name: value for name, value in finding.items() if name != "dispute"}
        for finding in kept["findings"]
    ]


def test_an_empty_answer_finds_nothing(client: TestClient) -> None:
    for empty in ("", ":", " \n"):
        told = client.post("/api/v1/check", json={"slug": BEGIN["slug"], "answer": empty}).json()
        assert {finding["state"] for finding in told["findings"]} == {"not_found"}, empty


def test_an_answer_too_long_is_refused_with_both_numbers(client: TestClient) -> None:
    told = client.post("/api/v1/check", json={"slug": BEGIN["slug"], "answer": "x" * 20_001})

    assert told.status_code == 422
    assert "20,000" in told.json()["detail"]
    assert "20,001" in told.json()["detail"]
