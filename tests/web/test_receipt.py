"""A run's receipt by its page, and the page that a receipt makes where there is no server."""

import json
from datetime import datetime
from html.parser import HTMLParser

import pytest
from starlette.testclient import TestClient

from app.domain.running import RunSource, RunState
from app.runs.receipt_reading import read
from app.runs.receipts import Receipt
from app.store.engine import Database
from app.web.receipt import page_of
from tests.runs.measured import a_measurement, keep

MADE = datetime.fromisoformat("2026-11-30T18:45:01+00:00")
LEADING = ("href", "src", "action", "formaction", "hx-get", "hx-post", "srcset", "poster")


def a_receipt(**others: object) -> Receipt:
    return Receipt(tuple(a_measurement(**others)), MADE, MADE)


@pytest.mark.parametrize("source", RunSource)
def test_each_run_with_a_result_has_a_receipt(
    client: TestClient, database: Database, source: RunSource
):
    keep(database, "run", a_measurement(), source=source)
    page = client.get("/runs/run").text
    assert 'href="/runs/run/receipt.json" download' in page
    answer = client.get("/runs/run/receipt.json")
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["content-disposition"].startswith(
        'attachment; filename="ridgepoint-chain-'
    )
    receipt = read(answer.content)
    assert receipt.events == tuple(a_measurement())


@pytest.mark.parametrize("state", [RunState.WAITING, RunState.RUNNING, RunState.FAILED])
def test_a_run_without_a_result_has_none(client: TestClient, database: Database, state: RunState):
    keep(database, "run", a_measurement(), state=state, deadline_at=MADE.replace(year=2100))
    answer = client.get("/runs/run/receipt.json")
    assert (answer.status_code, "has no receipt" in answer.text) == (404, True)
    assert client.get("/runs/none/receipt.json").status_code == 404


def test_an_imported_run_is_badged_and_listed_apart(client: TestClient, database: Database):
    keep(database, "run", a_measurement(), source=RunSource.IMPORTED, finished_at=MADE)
    page = client.get("/runs/run").text
    assert "Imported; measured elsewhere on Test device, 30 Nov 2026" in page
    assert "kernels on a Test device." in page
    listed = client.get("/runs").text
    assert 'href="/runs/run"' in listed.partition("<h2>Imported</h2>")[2]
    assert "You have started none yet" in listed


class _Attributes(HTMLParser):
    """Gathers every attribute of a page, and its tags."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.attributes: list[tuple[str, str | None]] = []
        self.tags: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs
        self.tags.add(tag)


def test_the_page_of_a_receipt_needs_nothing_from_elsewhere():
    html = page_of(a_receipt(), MADE)
    read = _Attributes(html)
    leads = [value for name, value in read.attributes if name in LEADING]
    assert leads == []
    assert read.tags.isdisjoint({"link", "script", "form", "iframe", "img", "object"})
    assert "@import" not in html and "url(" not in html


def test_the_page_of_a_receipt_shows_the_run():
    html = page_of(a_receipt(suspect=("Other processes used the GPU.",)), MADE)
    order = ["One pass is 2.20× faster", "Other processes used the GPU.", "<svg", "How it was"]
    assert [html.index(part) for part in order] == sorted(html.index(part) for part in order)
    assert "kernels on a Test device" in html
    assert "30 Nov 2026, 18:45 UTC" in html
    assert a_receipt(suspect=("Other processes used the GPU.",)).sha256 in html


def test_a_hostile_receipt_is_shown_as_text():
    html = page_of(a_receipt(name="</style><script>alert(1)</script>"), MADE)
    assert "<script>" not in html
    assert json.dumps("</script>") not in html


def test_a_suspect_run_says_so_in_the_list(client: TestClient, database: Database):
    keep(database, "run", a_measurement(suspect=("Shared.",)), source=RunSource.IMPORTED)
    assert "<strong>suspect</strong>" in client.get("/runs?show=1").text


def test_a_run_that_speaks_against_the_claim_says_so_in_the_list(
    client: TestClient, database: Database
):
    keep(database, "run", a_measurement(80.0, 100.0), source=RunSource.IMPORTED)
    assert "; the claim does not hold here" in client.get("/runs?show=1").text
