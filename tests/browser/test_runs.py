"""A run from its form to its result, in every dress that people use, followed as it goes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from app.settings import Settings
from app.store.engine import Database
from tests.browser.steps import fits, follow, leave, look_over, open_what_is_folded
from tests.runs.conftest import a_worker, eventually, with_bench, workers
from tests.web.lab_runs import a_gpu

A_WORKERS_START_MS = 120_000


@pytest.fixture
def settings(settings: Settings, tmp_path: Path) -> Settings:
    """Settings whose runs are measured at once, with locks of this test's own."""
    return with_bench(settings, "steady", lock_dir=tmp_path / "locks")


@pytest.fixture
def worker(settings: Settings, database: Database) -> Iterator[None]:
    """A worker that is ready."""
    with a_worker(settings):
        eventually(lambda: workers(database))
        yield


@pytest.fixture
def endless_worker(settings: Settings, database: Database) -> Iterator[None]:
    """A worker whose runs go on until they are cancelled."""
    with a_worker(with_bench(settings, "endless")):
        eventually(lambda: workers(database))
        yield


@pytest.fixture
def lab_worker(settings: Settings, database: Database) -> Iterator[None]:
    """A worker whose benchmark measures whichever experiment it is asked for."""
    with a_worker(with_bench(settings, "lab")):
        eventually(lambda: workers(database))
        yield


def start(page: Page, expected: str = "2.5") -> None:
    """Say what one expects, and start on the GPU."""
    page.get_by_role("radio", name="Live, on the GPU here").check()
    page.get_by_label("From").fill(expected)
    leave(page, page.get_by_role("button", name="Start"))


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("javascript", [True, False], ids=["with-js", "without-js"])
def test_a_run_walks_from_its_form_to_its_result(opened, worker, width, scheme, javascript):
    dress = {"width": width, "color_scheme": scheme, "java_script_enabled": javascript}
    page = opened("/experiments/chain", **dress)
    check = look_over if javascript else fits  # axe itself is a script
    check(page)
    start(page)
    found = page.get_by_role("heading", name="One pass is 2.20× faster than the three separate")
    expect(found).to_be_visible()
    expect(page.get_by_text("Bytes predict 2.33×; you said 2.5×.")).to_be_visible()
    open_what_is_folded(page)
    check(page)
    follow(page, "Runs")
    expect(page.get_by_role("link", name="Whisper large, bfloat16, forward")).to_be_visible()
    check(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_run_that_goes_on_is_shown_as_it_goes_and_ends_when_cancelled(
    opened, endless_worker, scheme
):
    page = opened("/experiments/chain", color_scheme=scheme)
    start(page)
    expect(page.get_by_role("heading", name="Running on Test device")).to_be_visible()
    seen = page.locator(".going .figure")
    before = seen.inner_text()
    expect(seen).not_to_have_text(before)
    look_over(page)
    leave(page, page.get_by_role("button", name="Cancel this run"))
    expect(page.get_by_role("heading", name="Cancelled")).to_be_visible()
    look_over(page)


def test_a_second_tab_sees_a_run_end_that_the_first_one_cancelled(opened, endless_worker):
    page = opened("/experiments/chain")
    start(page)
    expect(page.get_by_role("progressbar")).to_be_visible()
    second = page.context.new_page()
    second.goto(page.url)
    page.get_by_role("button", name="Cancel this run").click()
    expect(second.get_by_role("heading", name="Cancelled")).to_be_visible()


def test_the_focus_stays_where_it_is_while_the_page_follows_the_run(opened, endless_worker):
    page = opened("/experiments/chain")
    start(page)
    expect(page.get_by_role("heading", name="Running on Test device")).to_be_visible()
    page.get_by_role("button", name="Cancel this run").focus()
    before = page.locator(".going .figure").inner_text()
    expect(page.locator(".going .figure")).not_to_have_text(before)
    expect(page.get_by_role("button", name="Cancel this run")).to_be_focused()


def test_a_run_that_waits_without_a_worker_says_so_and_starts_with_one(opened, settings, database):
    page = opened("/experiments/chain")
    look_over(page)
    asked = page.request.post("/api/v1/runs", data={"experiment": "chain"})
    page.goto(f"/runs/{asked.json()['id']}")
    expect(page.get_by_text("No worker for this is running at the moment")).to_be_visible()
    look_over(page)
    with a_worker(settings):
        found = page.get_by_role("heading", name="One pass is")
        expect(found).to_be_visible(timeout=A_WORKERS_START_MS)


def test_a_run_that_fails_says_why_and_what_can_be_done(opened, settings, database):
    with a_worker(with_bench(settings, "without_gpu")):
        eventually(lambda: workers(database))
        page = opened("/experiments/chain")
        start(page)
        expect(page.get_by_role("heading", name="No GPU was found")).to_be_visible()
        expect(page.get_by_text("torch finds no CUDA device.")).to_be_visible()
        expect(page.get_by_role("button", name="Run again")).to_be_visible()
        look_over(page)


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("javascript", [True, False], ids=["with-js", "without-js"])
def test_an_experiment_of_the_lab_walks_from_the_index_to_ones_calibration(
    opened, lab_worker, width, javascript
):
    page = opened("/experiments", width=width, java_script_enabled=javascript)
    check = look_over if javascript else fits
    check(page)
    follow(page, "The chain's share of a training step", exact=True)
    check(page)
    page.get_by_role("radio", name="Live, on the GPU here").check()
    page.get_by_label("From").fill("25")
    page.get_by_label("to", exact=True).fill("40 %")
    leave(page, page.get_by_role("button", name="Start"))
    gained = "The whole step modelled on QuartzNet gets 19.0 % shorter"
    expect(page.get_by_role("heading", name=gained)).to_be_visible()
    expect(page.get_by_text("Amdahl's rule predicts 20.0 %; you said 25 to 40 %.")).to_be_visible()
    open_what_is_folded(page)
    check(page)
    slider = page.get_by_label("Share of the step")
    if javascript:
        slider.fill("70")
        expect(page.locator(".amdahl output")).to_have_text(
            "70 % of the step: it gets 35.0 % shorter"
        )
    else:
        expect(slider).to_be_hidden()
    follow(page, "How your guesses stand")
    expect(page.get_by_text("inside your range 0 of 1 time")).to_be_visible()
    check(page)


@pytest.mark.parametrize("javascript", [True, False], ids=["with-js", "without-js"])
def test_which_mistake_was_which_is_asked_before_it_is_shown(opened, lab_worker, javascript):
    page = opened("/experiments/broken", width=390, java_script_enabled=javascript)
    check = look_over if javascript else fits
    page.get_by_role("radio", name="Live, on the GPU here").check()
    leave(page, page.get_by_role("button", name="Start"))
    expect(page.get_by_role("heading", name="Which mistake did each")).to_be_visible()
    expect(page.get_by_text("Raw samples")).to_have_count(0)
    check(page)
    page.get_by_label("A separate").select_option("zeros")
    leave(page, page.get_by_role("button", name="Show what it was"))
    expect(page.get_by_role("heading", name="1 of 7 mistakes")).to_be_visible()
    expect(page.get_by_role("heading", name="Which was which")).to_be_visible()
    check(page)


def test_what_a_processor_runs_is_said_to_whoever_chose_it(opened, database):
    a_gpu(database)
    page = opened("/experiments/chain")
    note = page.get_by_text("On the processor another chain runs")
    expect(note).to_be_hidden()
    page.get_by_role("radio", name="Live, on the processor here").check()
    expect(note).to_be_visible()
    look_over(page)
