"""The recorded runs as a person opens them, on the narrowest of pages."""

from datetime import datetime

import pytest
from playwright.sync_api import expect

from app.runs.recordings import import_recordings
from app.settings import ROOT
from app.store.engine import Database
from tests.browser.steps import fits, open_what_is_folded
from tests.lab.recorded import RECORDED

NARROWEST = 320
CELLS_LAID_OUT_OTHERWISE = """() => [...document.querySelectorAll('td, th')]
  .filter(cell => getComputedStyle(cell).display !== 'table-cell').length"""


@pytest.fixture
def recordings(database: Database, now: datetime) -> list[str]:
    """Every recording as a run; the addresses of one for each experiment and model."""
    with database.changing() as session:
        import_recordings(session, ROOT / "content" / "recordings", now)
        session.commit()
    of_the_chain = ("-bf16-", "-fp32-")
    names = [name for name in RECORDED if not any(one in name for one in of_the_chain)]
    names.append("whisper-large-bf16-both")
    return [f"/runs/{RECORDED[name].parent.name}-{name}" for name in names]


def test_every_recorded_run_fits_the_narrowest_page(opened, recordings):
    page = opened("/runs", width=NARROWEST)
    fits(page)
    for address in recordings:
        page.goto(address)
        fits(page)
        assert page.evaluate(CELLS_LAID_OUT_OTHERWISE) == 0
        open_what_is_folded(page)
        fits(page)


def test_a_printed_run_has_nothing_on_it_to_press(opened, recordings):
    page = opened(next(address for address in recordings if "share" in address))
    expect(page.get_by_role("link", name="Run another")).to_be_visible()
    page.emulate_media(media="print")
    for words in ("Run another", "How it was measured", "Share of the step"):
        expect(page.get_by_text(words, exact=True)).to_be_hidden()
    expect(page.get_by_role("heading", name="Expected, counted, measured")).to_be_visible()
