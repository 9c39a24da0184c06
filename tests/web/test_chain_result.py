"""A run of the chain that is done: its sentence, its picture, its counts, its doubts."""

from starlette.testclient import TestClient

from app.domain.running import RunSource
from app.store.engine import Database
from tests.runs.benches import SEPARATE, SUMMARY
from tests.runs.measured import keep
from tests.web.chain_runs import WHOLE


def test_a_done_run_begins_with_its_sentence_then_the_picture_then_the_method(
    client: TestClient, recording: str
):
    page = client.get(f"/runs/{recording}").text
    parts = ["One pass is 2.20× faster than the three", "<svg", "What moved", "How it was measured"]
    places = [page.index(part) for part in parts]
    assert places == sorted(places)
    assert "Recorded on Test device" in page
    assert "7 B, 861 MB" in page
    assert "220.0\N{NO-BREAK SPACE}µs ÷ 100.0\N{NO-BREAK SPACE}µs" in page


def test_both_counts_stand_with_their_inputs_wherever_a_speedup_is_predicted(
    client: TestClient, recording: str
):
    result, listed = client.get(f"/runs/{recording}").text, client.get("/runs").text
    assert "tensors carried: separate ÷ one pass = 6 ÷ 2" in result
    assert "Bytes predict 2.33×." in result
    assert "7 ÷ 3 = 2.33× forward (6 ÷ 2 = 3.00× with the residual left out)" in listed


def test_a_suspect_result_is_marked_as_one(client: TestClient, database: Database):
    doubt = SUMMARY | {"suspect": ["fused reads as 140 % of the limit."]}
    keep(database, "odd", [*WHOLE[:-1], doubt], source=RunSource.LIVE)
    page = client.get("/runs/odd").text
    assert "Suspect." in page
    assert "140 % of the limit" in page


def test_within_noise_there_is_no_measurable_difference(client: TestClient, database: Database):
    even = [*WHOLE[:3], SEPARATE, SEPARATE | {"variant": "fused"}, SUMMARY]
    keep(database, "even", even, source=RunSource.LIVE)
    assert "No measurable difference between one pass" in client.get("/runs/even").text
