"""`ridgepoint doctor` on the database: a line, whatever is wrong with it."""

import pytest

from app.cli import main


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("postgresql+psycopg://host:port/name", "is no address of a database: mend it."),
        ("postgresql+psycopg://me:hidden@127.0.0.1:1/name", "refused"),
        ("sqlite:////proc/nothing/x.db", "database: /proc/nothing: No such file or directory."),
    ],
)
def test_a_database_that_can_not_be_used_is_a_line_and_the_rest_is_told(
    monkeypatch, capsys, tmp_path, url, told
):
    monkeypatch.setenv("RIDGEPOINT_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("RIDGEPOINT_DATABASE_URL", url)
    assert main(["doctor"]) == 1
    lines = capsys.readouterr().out.splitlines()
    (line,) = [line for line in lines if line.startswith("– database")]
    assert told in line and "hidden" not in line
    assert all(line.startswith(("✓ ", "– ")) for line in lines)
    assert any(line.startswith("✓ disk") for line in lines)
