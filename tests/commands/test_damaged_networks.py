"""Commands that need the checker, where a file of its networks is missing or damaged."""

import shutil

import pytest

from app.cli import main
from app.domain.checking import network, verifier, weights
from app.domain.checking.weights import FILES, FOLDER, SUMS

SLUG = "fused-normalization-chain"
DAMAGE = {
    "is missing": lambda path: path.unlink(),
    "is not the file that SHA256SUMS beside it names": lambda path: path.write_bytes(b"version "),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The networks' files, to be damaged, in the place of those that ship."""
    folder = tmp_path / "network"
    folder.mkdir()
    for name in (*FILES, SUMS):
        shutil.copyfile(FOLDER / name, folder / name)
    for module in (network, verifier, weights):
        monkeypatch.setattr(module, "FOLDER", folder)
    network.the_network.cache_clear()
    verifier.the_verifier.cache_clear()
    yield folder
    network.the_network.cache_clear()
    verifier.the_verifier.cache_clear()


@pytest.mark.parametrize("how", list(DAMAGE))
@pytest.mark.parametrize("name", FILES)
def test_check_names_the_file_and_says_how_to_get_it_back(folder, capsys, tmp_path, name, how):
    DAMAGE[how](folder / name)
    (tmp_path / "answers").write_text('{"id": "a", "text": "It rained."}\n')
    assert main(["check", SLUG, "--jsonl", str(tmp_path / "answers")]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"ridgepoint: {folder / name} {how}: get it back with `git checkout")


def test_so_does_the_check_of_the_cards(folder, capsys):
    (folder / "verifier.onnx").unlink()
    assert main(["cards", "check"]) == 1
    assert f"{folder / 'verifier.onnx'} is missing" in capsys.readouterr().err


@pytest.mark.parametrize("name", [*FILES, SUMS])
def test_so_does_the_doctor_and_tells_the_rest(folder, capsys, monkeypatch, tmp_path, name):
    monkeypatch.setenv("RIDGEPOINT_DATA_DIR", str(tmp_path))
    (folder / name).unlink()
    assert main(["doctor"]) == 0  # the site starts
    lines = capsys.readouterr().out.splitlines()
    (line,) = [line for line in lines if "checker: " in line]
    assert line.startswith("– checker: no answer can be checked; ")
    assert f"{folder / name} is missing: get it back" in line
    assert any(line.startswith("✓ disk") for line in lines)


def test_the_doctor_says_that_a_checker_is_whole(folder, capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("RIDGEPOINT_DATA_DIR", str(tmp_path))
    assert main(["doctor"]) == 0
    assert "✓ checker: its networks are whole" in capsys.readouterr().out.splitlines()
