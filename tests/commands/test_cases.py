"""`ridgepoint cases export` over disputes that learners made on the site."""

import json
import re

import pytest

from app import cli
from app.domain.checking.findings import Finding, Kind, State
from tests.checking.scoring import labelled
from tests.web.practising import another_browser, answered, find, kept

ANSWER = "The flops go down. Maybe the whole step is 3x."
FOUND = [
    Finding(Kind.KEY_POINT, "round_trips", State.NOT_FOUND),
    Finding(Kind.PITFALL, "fewer_flops", State.FLAGGED, 0, 17, ("a sign", "another")),
    Finding(Kind.PITFALL, "whole_step_3x", State.POSSIBLE, 19, 45, ("a sign",)),
]


@pytest.fixture(autouse=True)
def _settings(monkeypatch, database_url, tmp_path):
    monkeypatch.setenv("RIDGEPOINT_DATABASE_URL", database_url)
    monkeypatch.setenv("RIDGEPOINT_DATA_DIR", str(tmp_path / "data"))


def dispute(browser, database, attempt_id, ref, words):
    row = next(row for row in kept(database, attempt_id).findings if row.ref == ref)
    address = f"/attempts/{attempt_id}/findings/{row.id}/dispute"
    if words is None:
        browser.post(f"{address}/withdrawal")
    else:
        browser.post(address, data={"words": words})


def answer_and_dispute(browser, database, **said):
    attempt_id = answered(browser, ANSWER)
    find(database, attempt_id, FOUND)
    for ref, words in said.items():
        dispute(browser, database, attempt_id, ref, words)
    return attempt_id


def exported(capsys, *arguments):
    capsys.readouterr()
    assert cli.main(["cases", "export", *arguments]) == 0
    return capsys.readouterr().out


def test_disputes_come_out_as_labelled_lines(client, database, capsys):
    answer_and_dispute(client, database, fewer_flops="opposite", whole_step_3x="said")
    answered(client, "Nobody disputes this one.")
    (line,) = map(json.loads, exported(capsys).splitlines())
    assert line["text"] == ANSWER
    assert line["pitfalls"] == {"fewer_flops": "rejects", "whole_step_3x": "commits"}
    assert line["evidence"] == {"whole_step_3x": ANSWER[19:45]}
    assert line["key_points"] == {}


def test_exporting_again_gives_the_same_file(client, app, database, capsys, tmp_path):
    answer_and_dispute(client, database, fewer_flops="opposite")
    answer_and_dispute(another_browser(app, client), database, round_trips="said")
    path = tmp_path / "cases.jsonl"
    assert exported(capsys, "--out", str(path)) == f"2 disputed checks in {path}.\n"
    first = path.read_bytes()
    exported(capsys, "--out", str(path))
    assert path.read_bytes() == first
    assert first.decode() == exported(capsys)
    assert [other.name for other in tmp_path.glob(".*")] == []


def test_what_was_taken_back_is_not_exported(client, database, capsys):
    attempt_id = answer_and_dispute(client, database, fewer_flops="opposite")
    dispute(client, database, attempt_id, "fewer_flops", None)
    assert exported(capsys) == ""


def test_a_line_says_nothing_of_who_disputed_or_when(client, database, capsys):
    attempt_id = answer_and_dispute(client, database, fewer_flops="not_said")
    (line,) = map(json.loads, exported(capsys).splitlines())
    known = {"id", "style", "text", "key_points", "pitfalls", "evidence"}
    assert set(line) == known | {"disputed", "card", "content_hash", "checked_by"}
    assert str(kept(database, attempt_id).started_at.year) not in re.sub(
        r'"(id|content_hash)": "[^"]*"', "", json.dumps(line)
    )


def test_the_lines_can_be_read_as_the_labelled_answers_are(client, database, capsys, tmp_path):
    answer_and_dispute(client, database, fewer_flops="opposite")
    path = tmp_path / "cases.jsonl"
    exported(capsys, "--out", str(path))
    (line,) = labelled(path)
    assert line["pitfalls"]["fewer_flops"] == "rejects"


def test_a_folder_that_is_not_there_is_told_in_a_sentence(database, capsys, tmp_path):
    path = tmp_path / "nowhere" / "cases.jsonl"
    assert cli.main(["cases", "export", "--out", str(path)]) == 1
    assert f"{path} can't be written: No such file or directory." in capsys.readouterr().err
