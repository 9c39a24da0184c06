"""The practice loop from the home page to the history, in every dress that people use."""

import re

import pytest
from playwright.sync_api import expect

from app.domain.running import RunState
from tests.browser.steps import (
    ANSWER,
    arrive,
    begin,
    box,
    fits,
    follow,
    hand_in,
    look_over,
    open_rung,
    open_the_whole_ladder,
    review,
)
from tests.web.walk import a_run


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("javascript", [True, False], ids=["with-js", "without-js"])
def test_the_whole_loop_walks_and_nothing_is_out_of_order(opened, width, scheme, javascript):
    page = opened(width=width, color_scheme=scheme, java_script_enabled=javascript)
    check = look_over if javascript else fits  # axe itself is a script
    check(page)
    follow(page, "Practise")
    check(page)
    begin(page)
    check(page)
    hand_in(page)
    check(page)
    review(page)
    check(page)
    open_the_whole_ladder(page)
    for tried in range(1, 4):
        page.get_by_role("button", name="I said it aloud").first.click()
        expect(page.get_by_text("You said it aloud.")).to_have_count(tried)
        page.wait_for_load_state()
    check(page)
    follow(page, "History")
    check(page)
    follow(page, re.compile("Fusing"))
    expect(page.get_by_text(ANSWER).first).to_be_visible()
    expect(page.get_by_role("heading", name="Opened in this attempt")).to_be_visible()
    check(page)
    follow(page, "Ridgepoint")
    expect(page.get_by_text("of 10 points")).to_be_visible()
    check(page)


def test_the_whole_loop_walks_by_keyboard_alone(opened):
    page = opened()
    press = page.keyboard.press

    def tab_to(name: str) -> None:
        for _ in range(60):
            press("Tab")
            if name in (page.evaluate("document.activeElement.innerText") or ""):
                return
        raise AssertionError(f"no key leads to {name!r}")

    tab_to("Practise")
    press("Enter")
    page.wait_for_url("**/questions/**")
    page.get_by_role("radio").first.focus()
    press("ArrowRight")
    tab_to("Start")
    press("Enter")
    expect(box(page)).to_be_focused()
    page.keyboard.type(ANSWER)
    press("Control+Enter")
    expect(page.get_by_role("heading", name="Your own view first")).to_be_focused()
    press("Tab")
    press("Space")
    expect(page.get_by_role("checkbox").first).to_be_checked()
    tab_to("Show the check")
    press("Enter")
    expect(page.get_by_role("heading", name="The check")).to_be_focused()
    tab_to("Basics")
    press("Enter")
    expect(page.get_by_role("heading", name="Basics")).to_be_focused()
    # What folds the rung, the evidence on what it claims, then the next one.
    for name in ("Basics", "run it", "Solid"):
        press("Tab")
        assert name in page.evaluate("document.activeElement.innerText")


def test_after_each_step_the_focus_is_where_one_goes_on(opened):
    page = opened("/questions/fused-normalization-chain")
    begin(page)
    expect(page.locator("#answer-text")).to_be_focused()
    open_rung(page, "Basics")
    expect(page.locator("#basics")).to_be_focused()
    hand_in(page)
    expect(page.locator("#own-view-heading")).to_be_focused()
    review(page)
    expect(page.locator("#result-heading")).to_be_focused()
    expect(page.locator("#live")).to_contain_text("Your answer covers")
    page.get_by_role("button", name="I said that").first.click()
    expect(page.get_by_text("You said: I said that. It counts.")).to_be_visible()
    expect(page.locator(".finding", has_text="You said: I said that.")).to_be_focused()
    page.keyboard.press("u")
    expect(page.get_by_text("You said: I said that. It counts.")).to_have_count(0)
    page.get_by_role("button", name="Change my ticks").click()
    arrive(page, page.get_by_role("heading", name="Your own view first"))


def test_opening_a_rung_moves_nothing_above_it(opened):
    page = opened("/questions/fused-normalization-chain")
    heading = page.get_by_role("heading", name="The ladder")
    before = heading.bounding_box()
    scrolled = page.evaluate("scrollY")
    open_rung(page, "Basics")
    assert heading.bounding_box() == before
    assert page.evaluate("scrollY") == scrolled


def test_the_theme_button_turns_light_to_dark_and_a_reload_keeps_it(opened):
    page = opened(color_scheme="light")
    background = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(background)
    page.get_by_role("button", name="Light or dark").click()
    dark = page.evaluate(background)
    assert dark != light
    page.reload()
    assert page.evaluate(background) == dark


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_of_runs_and_errors_are_in_order_too(opened, database, width, scheme):
    runs = [f"/runs/{a_run(database, state)}" for state in RunState]
    page = opened("/experiments/chain", width=width, color_scheme=scheme)
    look_over(page)
    for path in ("/experiments", "/calibration", "/runs", "/history", "/questions/none", *runs):
        page.goto(path, wait_until="domcontentloaded")
        look_over(page)


def test_a_rung_that_was_folded_stays_so_when_the_next_one_is_opened(opened):
    page = opened("/questions/fused-normalization-chain")
    open_rung(page, "Basics")
    page.locator("#basics").click()
    open_rung(page, "Solid")
    assert page.locator("details:has(> summary #basics)").get_attribute("open") is None
    assert page.locator("details:has(> summary #solid)").get_attribute("open") is not None
