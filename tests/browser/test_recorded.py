"""The recorded runs as a person opens them, on the narrowest of pages."""

from datetime import datetime

import pytest
from playwright.sync_api import expect

from app.runs.recordings import import_recordings
from app.settings import ROOT
from app.store.engine import Database
from tests.browser.steps import fits, leave, open_what_is_folded
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


def test_on_a_phone_a_wide_tables_row_keeps_its_name_in_view(opened, recordings):
    page = opened("/runs/nvidia-h200-roofline", width=390)
    region = page.get_by_role("region", name="Each point")
    name = region.get_by_role("rowheader").first
    before = name.bounding_box()
    assert region.evaluate("it => (it.scrollLeft = it.scrollWidth, it.scrollLeft)") > 0
    assert name.bounding_box() == before


def test_the_recorded_speed_ups_are_seen_whole_on_a_phone(opened, recordings):
    region = opened("/runs?show=1", width=390).get_by_role(
        "region", name="Times faster in one pass"
    )
    assert region.evaluate("it => it.scrollWidth - it.clientWidth") <= 0


def test_no_length_is_to_be_chosen_beside_a_recorded_run(opened, recordings):
    page = opened("/experiments/size")
    expect(page.get_by_role("radio", name="Recorded, on a named device")).to_be_checked()
    length = page.get_by_text("Length of a live run")
    expect(length).to_be_hidden()
    page.evaluate("document.querySelector('[value=recorded]').checked = false")
    expect(length).to_be_visible()


def test_a_printed_run_has_nothing_on_it_to_press(opened, recordings):
    page = opened(next(address for address in recordings if "share" in address))
    expect(page.get_by_role("link", name="Run another")).to_be_visible()
    page.emulate_media(media="print")
    for words in ("Run another", "How it was measured", "Share of the step"):
        expect(page.get_by_text(words, exact=True)).to_be_hidden()
    expect(page.get_by_role("heading", name="Expected, counted, measured")).to_be_visible()


def test_how_far_off_each_guess_was_is_seen_on_a_phone_without_scrolling(opened, recordings):
    page = opened("/experiments", width=390)
    for name, said in (("roofline", "Memory bandwidth"), ("flops", "Fewer"), ("share", "")):
        page.goto(f"/experiments/{name}")
        page.get_by_role("radio", name="Recorded, on a named device").check()
        if said:
            page.get_by_role("radio", name=said).check()
        else:
            page.get_by_label("From").fill("-40")
        leave(page, page.get_by_role("button", name="Start"))
    page.goto("/calibration")
    region = page.get_by_role("region", name="Each guess")
    assert region.evaluate("it => it.scrollWidth - it.clientWidth") <= 0
