"""A receipt holds a run whole, and is believed only where nothing in it was changed."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from app.runs import receipt_reading
from app.runs.canonical import canonical
from app.runs.conclusions import conclude, events_of
from app.runs.receipt_reading import BadReceipt, read, read_file
from app.runs.receipts import Receipt, receipt_of
from app.settings import ROOT
from app.store.engine import Database
from app.trouble import Trouble
from tests.runs.conftest import the_run
from tests.runs.measured import MADE, METHOD, STATE, VERSIONS, a_measurement, keep

RECORDED = sorted((ROOT / "content" / "recordings").glob("*/*.jsonl"))


def a_receipt(**others: Any) -> Receipt:
    return Receipt(tuple(a_measurement(**others)), MADE, MADE)


def text_of(receipt: Receipt, **others: Any) -> bytes:
    return json.dumps(json.loads(receipt.as_text()) | others).encode()


def test_a_receipt_read_back_is_the_same():
    receipt = a_receipt()
    again = read(receipt.as_text().encode())
    assert again == receipt
    assert again.as_text() == receipt.as_text()


def test_it_says_what_was_run_on_what_with_which_seed_versions_and_clocks():
    file = json.loads(a_receipt().as_text())
    assert (file["format"], file["schema"]) == ("ridgepoint-receipt", 1)
    assert "RFC 8785" in file["hashed"] and "content" in file["hashed"]
    content = file["content"]
    assert content["experiment"] == "chain"
    assert content["parameters"]["dtype"] == "bf16"
    assert content["versions"] == VERSIONS
    assert content["method"] == METHOD
    assert content["seeds"] == {"seed": METHOD["seed"]}
    assert content["clocks"] == {"before": STATE, "after": STATE}
    assert content["device"]["name"] == "Test device"
    assert content["events"] == a_measurement()


@pytest.mark.parametrize("name", ["NVIDIA \u202e002H", "H200\u2066", "H\u200b200", "W" * 201])
def test_a_device_whose_name_shows_as_another_is_refused(name: str):
    with pytest.raises(BadReceipt, match=r"can't be seen|name the device"):
        read(a_receipt(name=name).as_text().encode())


def test_the_same_content_written_in_another_order_and_form_has_the_same_hash():
    file = json.loads(a_receipt().as_text())
    turned = dict(reversed(file["content"].items()))
    turned["device"] = dict(reversed(turned["device"].items()))
    spaced = json.dumps({**file, "content": turned}, indent=4).encode()
    assert read(spaced).sha256 == file["sha256"]


@pytest.mark.parametrize("path", RECORDED[:2], ids=lambda path: path.stem)
def test_a_recorded_run_has_a_receipt_that_is_believed(path: Path):
    events = tuple(json.loads(line) for line in path.read_text().splitlines())
    receipt = Receipt(events, MADE, MADE)
    assert read(receipt.as_text().encode()) == receipt


def test_the_receipt_of_a_run_in_the_database_can_be_read(database: Database):
    run = the_run(database, keep(database, "kept", a_measurement()))
    with database.reading() as session:
        receipt = receipt_of(run, events_of(session, run.id))
    again = read(receipt.as_text().encode())
    assert again.sha256 == receipt.sha256
    assert conclude(again.experiment, again.events) == conclude("chain", a_measurement())


def _changed(content: dict[str, Any], where: str) -> None:
    {
        "a sample": lambda: content["events"][4]["samples_us"].__setitem__(0, 1.0),
        "a seed": lambda: content["seeds"].update(seed=7),
        "the device": lambda: content["device"].update(name="NVIDIA H300"),
        "when": lambda: content.update(finished_at="2027-01-01T00:00:00+00:00"),
        "a suspect": lambda: content["events"][-1].update(suspect=[]),
    }[where]()


@pytest.mark.parametrize("where", ["a sample", "a seed", "the device", "when", "a suspect"])
def test_a_file_that_was_changed_is_told(where: str):
    file = json.loads(a_receipt(suspect=("Other processes used the GPU.",)).as_text())
    _changed(file["content"], where)
    with pytest.raises(BadReceipt, match="was changed after it was written"):
        read(json.dumps(file).encode())


def test_a_part_that_does_not_follow_from_the_lines_is_not_believed_even_with_its_hash(
    monkeypatch: pytest.MonkeyPatch,
):
    content = json.loads(a_receipt().as_text())["content"]
    content["seeds"] = {"seed": 7}
    sha256 = hashlib.sha256(canonical(content)).hexdigest()
    with pytest.raises(BadReceipt, match="does not follow from its own lines"):
        read(text_of(a_receipt(), content=content, sha256=sha256))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"", "is not JSON"),
        (b"\xff\xfe", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b"[]", "does not say that its format"),
        (b'{"event": "device"}', "does not say that its format"),
        (text_of(a_receipt(), schema=0), "schema 0, and 1 is read here: export it anew"),
        (text_of(a_receipt(), schema=2), "schema 2, and 1 is read here: update this copy"),
        (text_of(a_receipt(), schema=None), "schema None"),
        (text_of(a_receipt(), schema=True), "schema True"),
        (text_of(a_receipt(), content=7), "has no content"),
        (text_of(a_receipt(), content={}), "was changed"),
        (text_of(a_receipt(), sha256=None), "was changed"),
        (b'{"format": "ridgepoint-receipt", "schema": 1, "content": {"a": NaN}}', "no number"),
        (b" " * (receipt_reading.MOST_BYTES + 1), "is larger than the 4,000,000 bytes"),
    ],
)
def test_what_is_no_receipt_is_refused_with_a_reason(text: bytes, why: str):
    with pytest.raises(BadReceipt, match=why):
        read(text)


def hashed(content: Any) -> bytes:
    sha256 = hashlib.sha256(canonical(content)).hexdigest()
    return text_of(a_receipt(), content=content, sha256=sha256)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"events": None}, "no whole measurement"),
        ({"events": a_measurement()[:-1]}, "no summary"),
        ({"events": [*a_measurement()[:4], {"event": "gossip"}]}, "event 4: "),
        ({"events": [7]}, "event 0: "),
        ({"started_at": "yesterday"}, "no moment where started_at stands"),
        ({"finished_at": "2026-11-30T18:45:01"}, "no moment where finished_at stands"),
        ({"finished_at": 7}, "no moment"),
        ({"finished_at": "0001-01-01T00:00:00+23:59"}, "no moment"),
        ({"finished_at": "2026-11-30T19:45:01+01:00"}, "does not follow"),
        ({"experiment": "width"}, "does not follow"),
        ({"more": 1}, "does not follow"),
    ],
)
def test_a_receipt_whose_hash_is_right_is_still_read_with_care(change: dict[str, Any], why: str):
    content = json.loads(a_receipt().as_text())["content"]
    with pytest.raises(BadReceipt, match=why):
        read(hashed(content | change))


def test_more_samples_than_a_benchmark_takes_are_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(receipt_reading, "MOST_SAMPLES", 59)  # 30 of each of two cases
    with pytest.raises(BadReceipt, match="more than 59 samples"):
        read(a_receipt().as_text().encode())


def test_a_file_that_cannot_be_read_is_told_by_its_name(tmp_path: Path):
    with pytest.raises(Trouble, match=r"none\.json can't be read: No such file"):
        read_file(tmp_path / "none.json")
    with pytest.raises(Trouble, match="can't be read: Is a directory"):
        read_file(tmp_path)
    (tmp_path / "bad.json").write_text("gossip")
    with pytest.raises(Trouble, match=r"bad\.json is no receipt of a run: it is not JSON\.$"):
        read_file(tmp_path / "bad.json")
