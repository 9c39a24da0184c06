"""`ridgepoint cards check` at the command line."""

import re
import shutil

import pytest

from app import cli
from app.settings import ROOT

NAME = "fused-normalization-chain.md"


@pytest.fixture
def folder(tmp_path):
    for name in (NAME, "topics.yaml"):
        shutil.copy(ROOT / "content" / name, tmp_path / name)
    return tmp_path


def checked(folder, capsys):
    code = cli.main(["cards", "check", str(folder)])
    told = capsys.readouterr()
    return code, told.out + told.err


def test_a_model_answer_that_falls_into_a_pitfall_is_told_by_file_and_line(folder, capsys):
    path = folder / NAME
    source = path.read_text(encoding="utf-8")
    last = "\n\n# Solid\n"
    assert last in source
    path.write_text(source.replace(last, f" But fusing also lowers the number of FLOPs.{last}"))
    code, told = checked(folder, capsys)
    line = source[: source.index("# Basics")].count("\n") + 1
    assert code == 1
    assert re.search(rf"{re.escape(str(path))}:{line}: the checker sees 'fewer_flops' here", told)


def test_a_file_that_is_no_card_is_told_before_anything_is_checked(folder, capsys):
    (folder / NAME).write_text("# Nothing\n")
    code, told = checked(folder, capsys)
    assert code == 1
    assert "1 fault in the cards:" in told
    assert f"{folder / NAME}:1: begin the file with front matter" in told
