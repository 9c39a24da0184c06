"""A claim on the card shows its latest evidence, there where it is made and where all are shown."""

import re
from html import unescape

import pytest
from starlette.testclient import TestClient

from app.domain.running import RunSource
from app.store.engine import Database
from tests.runs.measured import PARAMETERS, a_measurement, keep
from tests.web.practising import PAGE, begin

LINE = "7/3 = 2.33× by bytes; 2.20× measured on Test device"


def opened(client: TestClient, *parts: str) -> str:
    """The card with these parts open, for somebody who has seen what was recorded."""
    client.get("/runs?show=1")
    return unescape(client.get(f"{PAGE}?{'&'.join(f'open={part}' for part in parts)}").text)


@pytest.fixture
def recording(database: Database) -> None:
    keep(database, "rec", a_measurement())


def test_a_claim_shows_the_recorded_run_with_its_badge(client: TestClient, recording: None):
    claims = opened(client, "claims")
    shown = claims.partition(LINE)
    assert shown[1] and shown[0].rstrip().endswith('<a href="/runs/rec">')
    line = shown[2].partition("</p>")[0]
    assert '<span class="badge">recorded</span>' in line


def test_a_claim_that_no_run_has_tried_says_so_and_where_to(client: TestClient):
    assert "Not run yet." in opened(client, "claims")
    assert 'Not run yet: <a href="/experiments/chain">run it' in opened(client, "solid")


@pytest.mark.parametrize("part", ["solid", "level-mid", "explanation"])
def test_the_evidence_stands_where_the_claim_is_made(
    client: TestClient, recording: None, part: str
):
    assert LINE in opened(client, part)
    assert LINE not in opened(client, "basics", "picture", "five-lines")


def test_a_follow_ups_evidence_comes_with_its_answer(client: TestClient):
    part = "follow-up-two-matmuls"
    assert "/experiments/matmuls" not in opened(client, part)
    client.post(f"{PAGE}/follow-ups/two-matmuls/tries", data={"aloud": "1"})
    begin(client)
    tried = client.post(f"{PAGE}/follow-ups/two-matmuls/tries", data={"aloud": "1"})
    assert "/experiments/matmuls" in tried.text


def test_ones_own_run_stands_without_a_badge(
    client: TestClient, database: Database, recording: None
):
    begin(client)
    keep(database, "own", a_measurement(240.0), source=RunSource.LIVE, learner_id=1)
    claims = opened(client, "claims")
    line = claims.partition('<a href="/runs/own">')[2].partition("</p>")[0]
    assert "2.40× measured" in line and "badge" not in line
    again = client.get(PAGE).text
    assert '<a href="/runs/own">' in again


@pytest.fixture
def own_on_cpu(client: TestClient, database: Database) -> None:
    begin(client)
    asked = PARAMETERS | {"device": "cpu"}
    own = {"source": RunSource.LIVE, "learner_id": 1, "parameters": asked}
    keep(database, "own", a_measurement(240.0), **own)


def line_by_line(page: str, begins: str) -> list[str]:
    """What stands on the chain's evidence, in words: a line for each run."""
    part = page.partition(begins)[2].partition("</li>")[0]
    lines = part.split('<span class="told">')[1:]
    return [" ".join(re.sub(r"<[^>]+>", " ", line).split()) for line in lines]


def test_after_a_processors_run_of_ones_own_the_recorded_one_comes_too(
    client: TestClient, recording: None, own_on_cpu: None
):
    lines = line_by_line(opened(client, "claims"), '<ul class="claims">')
    assert len(lines) == 2
    assert "2.40× measured" in lines[0] and "CPU edition" in lines[0]
    assert lines[0].endswith(", of another chain: relu(x·w + b)·0.5 + r")
    assert LINE in lines[1] and lines[1].endswith("recorded") and "another chain" not in lines[1]


def test_a_processors_run_alone_says_which_chain_it_ran(client: TestClient, own_on_cpu: None):
    (line,) = line_by_line(opened(client, "claims"), '<ul class="claims">')
    assert line.endswith(", of another chain: relu(x·w + b)·0.5 + r")


def test_the_list_keeps_back_what_was_recorded_beside_a_processors_run(
    client: TestClient, recording: None, own_on_cpu: None
):
    begins = 'href="/experiments/chain"'
    first, second = line_by_line(unescape(client.get("/experiments").text), begins)
    assert "2.40× measured" in first
    assert second.startswith("Say what you expect") and "2.20×" not in second
    opened(client, "claims")
    assert LINE in line_by_line(unescape(client.get("/experiments").text), begins)[1]


def test_what_is_suspect_or_speaks_against_the_claim_is_said_in_the_line(
    client: TestClient, database: Database
):
    keep(database, "bad", a_measurement(80.0, 100.0, suspect=("The GPU was shared.",)))
    line = opened(client, "claims").partition('<span class="evidence">')[2].partition("</p>")[0]
    assert "; the claim does not hold here" in line
    assert "<strong>suspect</strong>" in line
    assert "The GPU was shared." not in line  # the run's page says why, at its top


def test_the_list_of_experiments_shows_the_same_line(client: TestClient, recording: None):
    assert LINE in opened(client, "claims")  # what was seen is kept back no longer
    assert LINE in unescape(client.get("/experiments").text)
