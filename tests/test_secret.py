"""The key that signs cookies is whole or not there: an empty one would sign for anybody."""

import os
from pathlib import Path

import pytest

from app.secret import session_secret
from app.settings import Settings
from app.trouble import Trouble


def test_the_secret_is_made_once_for_its_owner_alone(tmp_path):
    settings = Settings(data_dir=tmp_path / "new")
    assert session_secret(settings) == session_secret(settings)
    assert [path.name for path in settings.data_dir.iterdir()] == ["secret"]
    assert (settings.data_dir / "secret").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("left", [b"", b"\n", b"cut", b"\xff\xfe"])
def test_a_secret_that_is_empty_or_cut_short_is_refused(tmp_path, left):
    (tmp_path / "secret").write_bytes(left)
    with pytest.raises(Trouble, match="empty or cut short: delete it and start again"):
        session_secret(Settings(data_dir=tmp_path))


@pytest.mark.parametrize("put", [Path.mkdir, os.mkfifo], ids=["folder", "pipe"])
def test_what_is_no_file_in_its_place_is_refused_at_once(tmp_path, put):
    put(tmp_path / "secret")
    with pytest.raises(Trouble, match="delete it and start again"):
        session_secret(Settings(data_dir=tmp_path))


def test_a_secret_that_could_not_be_written_leaves_nothing(tmp_path, monkeypatch):
    def full(_file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        session_secret(Settings(data_dir=tmp_path))
    assert list(tmp_path.iterdir()) == []
