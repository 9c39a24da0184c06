"""`ridgepoint check SLUG --jsonl FILE`: a line out for each line in, whatever its bytes are."""

import json

import pytest

from app.cli import main

SLUG = "fused-normalization-chain"


@pytest.fixture
def checked(capsys, tmp_path):
    """What the command prints for a file of these bytes, and its exit status."""

    def run(written: bytes):
        path = tmp_path / "answers.jsonl"
        path.write_bytes(written)
        status = main(["check", SLUG, "--jsonl", str(path)])
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()], status

    return run


def test_each_answer_is_a_line_and_a_mark_at_the_files_start_is_none(checked):
    lines, status = checked(
        b'\xef\xbb\xbf{"id": "a", "text": "The FLOPs go down."}\r\n\n{"id": "b"}'
    )
    assert [line.get("id") for line in lines] == ["a", None]
    assert lines[0]["pitfalls"]["fewer_flops"] == "commits"
    assert lines[1]["line"] == 3
    assert status == 1


def test_bytes_that_are_no_text_cost_no_other_answer(checked):
    lines, status = checked(b'{"id": "a", "text": "\xff\xfe"}\n{"id": "b", "text": "Trips."}\n')
    assert [line["id"] for line in lines] == ["a", "b"]
    assert status == 0


def test_half_a_surrogate_pair_comes_out_as_it_went_in(checked):
    lines, status = checked(b'{"id": "\\ud800", "text": "The FLOPs \\ud800 go down."}\n')
    assert lines[0]["id"] == "\ud800"
    assert status == 0


def test_a_file_that_is_not_there_and_a_card_that_is_not_there_are_told(capsys, tmp_path):
    assert main(["check", SLUG, "--jsonl", str(tmp_path / "none")]) == 1
    assert f"{tmp_path / 'none'}: No such file or directory." in capsys.readouterr().err
    assert main(["check", "none", "--jsonl", "-"]) == 1
    assert f"there is no card 'none'; there are: {SLUG}" in capsys.readouterr().err
