"""Two runs beside each other: the sentence first, what differs, every case, the other to choose."""

import re
from datetime import datetime, timedelta
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.domain.running import RunSource, RunState
from app.store.engine import Database
from tests.lab.evidence import device, result
from tests.runs.measured import PARAMETERS, a_measurement, keep
from tests.web.practising import begin


@pytest.fixture
def this(database: Database) -> str:
    return keep(database, "this", a_measurement(220.0, 100.0))


def compared(client: TestClient, database: Database, *other: float, **device: Any) -> str:
    keep(database, "other", a_measurement(*other, **device))
    answer = client.get("/runs/this/comparison?with=other")
    assert answer.status_code == 200
    return unescape(answer.text)


def heading(page: str) -> str:
    return page.partition('<h1 class="sentence">')[2].partition("</h1>")[0]


def unlike(what: str, here: str, there: str) -> str:
    """A line of what differs, as the page has it."""
    return f'<th scope="row">{what}</th><td>{here}</td><td>{there}</td>'


def test_the_page_begins_with_how_many_cases_came_out_how(
    client: TestClient, database: Database, this: str
):
    page = compared(client, database, 110.0, 100.0)
    assert heading(page) == (
        "Of the 2 cases that both runs measured, 1 is slower in this run than in the other and "
        "1 shows no measurable difference."
    )
    order = ["<h1", "What differs", "<svg", "Case by case", "What each run found"]
    assert [page.index(part) for part in order] == sorted(page.index(part) for part in order)


def test_faster_all_and_none_have_sentences_of_their_own(
    client: TestClient, database: Database, this: str
):
    keep(database, "slow", a_measurement(440.0, 300.0))
    keep(database, "same", a_measurement(220.0, 100.0))
    pages = (client.get(f"/runs/this/comparison?with={name}").text for name in ("slow", "same"))
    assert [heading(page) for page in pages] == [
        "All 2 cases that both runs measured are faster in this run than in the other.",
        "No measurable difference in any of the 2 cases that both runs measured.",
    ]


def test_a_run_is_not_held_against_itself(client: TestClient, this: str):
    answer = client.get("/runs/this/comparison?with=this")
    assert answer.status_code == 422
    assert "one run twice" in answer.text


def test_two_devices_are_called_by_their_names(client: TestClient, database: Database, this: str):
    page = compared(client, database, 440.0, 300.0, name="NVIDIA A100", id="GPU-9")
    assert "are faster on the Test device than on the NVIDIA A100" in heading(page)
    assert unlike("Device", "Test device", "NVIDIA A100") in page
    assert "Id of the device" not in page


def test_each_case_stands_with_its_ratio_and_interval(
    client: TestClient, database: Database, this: str
):
    page = compared(client, database, 110.0, 100.0)
    cases = page.partition(">Case by case<")[2]
    row = cases.partition('<th scope="row">separate</th>')[2].partition("</tr>")[0]
    assert "<td>0.50×</td>" in row and "<td>slower</td>" in row
    assert "0.49" in row.partition("–")[0]


def test_one_case_alone_is_called_by_its_name(client: TestClient, database: Database):
    summary = {"event": "summary", "method": {}, "suspect": [], "notes": []}
    facts = {"bytes": 400_000, "strategy": "whole"}
    for name, time in (("this", 100.0), ("other", 150.0)):
        swept = [
            result("fused", time, {"features": 1024}, **facts),
            result("fused", [time] * 3, {"features": 4096}, **facts),
        ]
        keep(database, name, [device("width"), *swept, summary], experiment="width")
    page = client.get("/runs/this/comparison?with=other").text
    assert heading(page) == "Fused, features 1,024 is 1.50× faster in this run than in the other."
    assert "1 case left out" in page and "fewer than 5 samples" in page


def test_runs_of_other_work_are_told_apart_and_no_case_is_compared(
    client: TestClient, database: Database, this: str
):
    other = PARAMETERS | {"dtype": "fp32", "direction": "backward"}
    page = compared(client, database, 110.0, 100.0, parameters=other)
    assert heading(page) == (
        "These two runs can't be compared case by case: they differ in number format and direction."
    )
    assert unlike("Number format", "bfloat16", "float32") in page
    assert "Case by case" not in page
    assert "measured" in page.partition("What each run found")[2]


def test_a_gpu_and_a_processor_are_told_apart(client: TestClient, database: Database, this: str):
    page = compared(client, database, kind="cpu", name="A processor")
    assert "one was measured on a GPU and the other on a processor" in heading(page)
    assert unlike("Measured on", "a GPU", "a processor") in page


def test_what_differs_twice_is_told_once_and_most_of_a_long_list_is_folded(
    client: TestClient, database: Database, this: str
):
    other = a_measurement(kind="cpu", name="A processor", threads=1, versions={"numpy": "2.4.6"})
    other[-1] = other[-1] | {"method": {"threads": 1, "warm_up": "one round", "cold": "no"}}
    keep(database, "other", other)
    page = client.get("/runs/this/comparison?with=other").text
    assert page.count(unlike("Threads", "–", "1")) == 1
    shown, folded = page.partition("What differs")[2].split("<summary>And ")
    assert shown.count('<th scope="row">') == 8
    assert unlike("Warm-up", "–", "one round") in folded


def test_what_is_suspect_of_either_is_said_at_the_top(
    client: TestClient, database: Database, this: str
):
    page = compared(client, database, suspect=("Other processes used the GPU.",))
    assert page.index("The other run: Other processes used the GPU.") < page.index("What differs")


def test_the_other_run_is_chosen_among_ones_own_the_recorded_and_the_imported(
    client: TestClient, database: Database, this: str
):
    begin(client)
    other_work = PARAMETERS | {"direction": "backward", "device": "gpu"}
    keep(database, "rec", a_measurement())
    keep(database, "imp", a_measurement(), source=RunSource.IMPORTED, parameters=other_work)
    keep(database, "mine", a_measurement(), source=RunSource.LIVE, learner_id=1)
    keep(database, "theirs", a_measurement(), source=RunSource.LIVE)
    keep(database, "failed", a_measurement(), state=RunState.FAILED)
    keep(database, "width", a_measurement(), experiment="width")
    page = client.get("/runs/this/comparison").text
    same, other = page.split("Of other work")
    assert "with=rec" in same and "with=mine" in same and "with=imp" in other
    for name in ("theirs", "failed", "width", "this"):
        assert f"with={name}" not in page


def test_runs_that_differ_in_more_than_one_thing_are_folded(
    client: TestClient, database: Database, this: str
):
    asked = PARAMETERS | {"device": "gpu", "rows": 48_000}  # a row may say more than was asked
    near, far = asked | {"dtype": "fp32"}, asked | {"dtype": "fp32", "direction": "backward"}
    for name, parameters in (("near", near), ("far", far)):
        keep(database, name, a_measurement(), parameters=parameters)
    page = client.get("/runs/this/comparison").text
    assert "Of other work: 2 runs" in page
    shown, folded = page.split("1 run that differs in more than one thing")
    assert "with=near" in shown and "with=far" in folded


def test_the_newest_comes_first_whosever_it_is_and_one_without_a_date_last(
    client: TestClient, database: Database, this: str, now: datetime
):
    begin(client)
    mine = {"source": RunSource.LIVE, "learner_id": 1}
    for name, days, others in (
        ("mine-1", 1, mine), ("rec-2", 2, {}), ("mine-3", 3, mine), ("rec-0", None, {}),
        ("imp-4", 4, {"source": RunSource.IMPORTED}),
    ):  # fmt: skip
        at = now + timedelta(days=days) if days else None
        keep(database, name, a_measurement(), finished_at=at, **others)
    page = client.get("/runs/this/comparison").text
    assert re.findall(r"with=([\w-]+)", page) == ["imp-4", "mine-3", "rec-2", "mine-1", "rec-0"]


def test_without_another_run_it_says_what_to_do(client: TestClient, this: str):
    page = client.get("/runs/this/comparison").text
    assert "There is no other run of this experiment yet" in page
    assert "ridgepoint runs import" in page


def test_the_page_of_a_run_leads_here(client: TestClient, this: str):
    assert 'href="/runs/this/comparison"' in client.get("/runs/this").text


@pytest.mark.parametrize(
    ("address", "status", "why"),
    [
        ("/runs/none/comparison", 404, "There is no such run"),
        ("/runs/this/comparison?with=none", 404, "There is no such run"),
        ("/runs/this/comparison?with=failed", 404, "A run without a result can't be compared"),
        ("/runs/failed/comparison", 404, "A run without a result can't be compared"),
        ("/runs/this/comparison?with=width", 422, "These runs are of two experiments"),
        (f"/runs/this/comparison?with={'x' * 300}", 422, "at most 200"),
    ],
)
def test_what_cannot_be_compared_is_told_in_a_sentence(
    client: TestClient, database: Database, this: str, address: str, status: int, why: str
):
    keep(database, "failed", a_measurement(), state=RunState.FAILED)
    facts = {"bytes": 400_000, "strategy": "whole"}
    summary = {"event": "summary", "method": {}, "suspect": [], "notes": []}
    swept = [device("width"), result("fused", 100.0, {"features": 64}, **facts), summary]
    keep(database, "width", swept, experiment="width")
    answer = client.get(address)
    assert (answer.status_code, why in unescape(answer.text)) == (status, True)
