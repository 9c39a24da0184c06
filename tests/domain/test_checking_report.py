"""The JSON lines of a check: their shape, their evidence, and lines that can't be read."""

import json

from app.domain.checking.check import check
from app.domain.checking.report import check_lines
from tests.checking.first_card import load

CARD = load()


def report(*lines: str) -> list[dict]:
    return [json.loads(line) for line in check_lines(lines, CARD, check)]


def test_each_line_reports_every_id_with_verbatim_evidence():
    text = "A naïve reader like me — hm: fusing lowers the number of FLOPs."
    (line,) = report(json.dumps({"id": "a-1", "text": text}))
    assert line["id"] == "a-1"
    assert set(line["key_points"]) == {p.id for p in CARD.key_points}
    assert line["pitfalls"]["fewer_flops"] == "commits"
    assert line["pitfalls"]["faster_matmul"] == "silent"
    assert all(words in text for words in line["evidence"].values())


def test_a_malformed_line_is_named_by_number_and_the_rest_is_checked():
    lines = report("{", "[1]", '{"id": 3, "text": "x"}', "", '{"id": "b", "text": "y"}')
    assert [line.get("line") for line in lines] == [1, 2, 3, None]
    assert "line 1" in lines[0]["error"]
    assert lines[3]["id"] == "b"


def test_a_line_that_is_too_long_tells_how_much_was_not_read():
    short, long = (json.dumps({"id": "a", "text": "We talk about it. " * n}) for n in (2, 400))
    told = report(short, long)
    assert "unread" not in told[0]
    assert told[1]["unread"] > 3_000
