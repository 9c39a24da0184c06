"""Two runs compared, and a run brought in from elsewhere by its receipt, as a person does both."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from app import cli
from app.domain.running import RunSource
from app.runs.receipts import Receipt
from app.store.engine import Database
from tests.browser.steps import fits, follow, look_over, open_what_is_folded
from tests.runs.measured import a_measurement, keep

MADE = datetime(2026, 11, 30, 18, 45, 1, tzinfo=UTC)


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("javascript", [True, False], ids=["with-js", "without-js"])
def test_a_run_is_compared_with_another(
    opened, database: Database, width: int, scheme: str, javascript: bool
):
    keep(database, "this", a_measurement(220.0, 100.0), finished_at=MADE)
    suspect = ("Other processes used the GPU: not comparable with other runs.",)
    other = a_measurement(330.0, 99.9, name="Another device", suspect=suspect)
    keep(database, "other", other, finished_at=MADE)
    dress = {"width": width, "color_scheme": scheme, "java_script_enabled": javascript}
    page = opened("/runs/this", **dress)
    check = look_over if javascript else fits  # axe itself is a script
    follow(page, "Compare with …")
    expect(page.get_by_role("heading", name="Compare this run with which other?")).to_be_visible()
    check(page)
    follow(page, re.compile("^Whisper large, bfloat16, forward"))
    found = page.get_by_role("heading", name="Of the 2 cases that both runs measured, 1 is faster")
    expect(found).to_be_visible()
    expect(page.get_by_text("The other run: Other processes used the GPU")).to_be_visible()
    check(page)
    follow(page, "Seen from the other run")
    expect(page.get_by_role("heading", name="1 is slower on the Another device")).to_be_visible()


def import_into(database_url: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIDGEPOINT_DATABASE_URL", database_url)
    assert cli.main(["runs", "import", str(path)]) == 0


def download(page: Page, folder: Path) -> Path:
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Receipt").click()
    waiting.value.save_as(folder / "downloaded.json")
    return folder / "downloaded.json"


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
def test_a_receipt_from_elsewhere_is_imported_looked_at_and_passed_on(
    opened, database: Database, database_url: str, tmp_path: Path, monkeypatch, width, scheme
):
    came = tmp_path / "came.json"
    came.write_text(Receipt(tuple(a_measurement()), MADE, MADE).as_text())
    import_into(database_url, came, monkeypatch)
    page = opened("/runs", width=width, color_scheme=scheme)
    expect(page.get_by_role("heading", name="Imported")).to_be_visible()
    look_over(page)
    follow(page, re.compile("^One pass .*Whisper large, bfloat16, forward"))
    expect(page.get_by_text("Imported; measured elsewhere on Test device, 30 Nov")).to_be_visible()
    look_over(page)
    passed_on, out = download(page, tmp_path), tmp_path / "run.html"
    assert passed_on.read_bytes() == came.read_bytes()
    assert cli.main(["runs", "show", str(passed_on), "--html", str(out)]) == 0
    page.goto(out.as_uri())
    expect(
        page.get_by_role("heading", name="One pass is 2.20× faster than the three")
    ).to_be_visible()
    open_what_is_folded(page)
    look_over(page)


def test_ones_own_receipt_brought_back_is_no_second_run(
    opened, database: Database, database_url: str, tmp_path: Path, monkeypatch
):
    keep(database, "own", a_measurement(), source=RunSource.LIVE)
    page = opened("/runs/own")
    import_into(database_url, download(page, tmp_path), monkeypatch)
    page.goto("/runs")
    expect(page.get_by_role("heading", name="Imported")).to_have_count(0)
