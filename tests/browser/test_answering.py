"""Answering: the clock, the draft, tabs, keys, and a server that fails."""

import re
from datetime import UTC, datetime, timedelta

from playwright.sync_api import Page, expect
from sqlalchemy import func, select

from app.store.models import Attempt
from tests.browser.steps import ANSWER, PAGE, arrive, begin, box, hand_in, open_rung, posted

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def draft_saved(page: Page):
    expect(page.locator("#draft-note")).to_have_text(re.compile(r"draft saved \d+ s ago"))


def told(page: Page, text: str):
    expect(page.locator("#live")).to_contain_text(text)


def let_it_be_noon_and(page: Page, seconds: float):
    """Set the time that the page's scripts read. It stands still until it is set again: time that
    passed by itself would be more on a busy machine than on an idle one."""
    page.clock.set_fixed_time(NOON + timedelta(seconds=seconds))


def begin_at_noon(page: Page, length: str):
    let_it_be_noon_and(page, 0)
    page.goto(PAGE)
    begin(page, length)
    # The clock counts from its first look at the new part, and looks each 250 ms: let it look.
    page.evaluate("new Promise(done => setTimeout(done, 300))")


def hide(page: Page, hidden: bool):
    """What a browser does to a page whose tab is left or looked at again."""
    page.evaluate(
        """hidden => {
            Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
        }""",
        hidden,
    )


def test_the_clock_turns_amber_then_red_and_says_so_once_and_cuts_nothing_off(opened):
    page = opened()
    begin_at_noon(page, "20 s")
    clock, live = page.locator("#clock"), page.locator("#live")
    expect(clock).to_have_attribute("data-tone", "in time")
    let_it_be_noon_and(page, 20.5)
    expect(clock).to_have_attribute("data-tone", "over")
    expect(page.locator("#clock-word")).to_contain_text("over, by 0:0")
    told(page, "20 seconds have passed")
    live.evaluate("element => element.textContent = ''")
    let_it_be_noon_and(page, 25)
    expect(page.locator("#clock-word")).to_have_text(re.compile(r"over, by 0:0[5-8]"))
    expect(live).to_have_text("")
    let_it_be_noon_and(page, 32)
    expect(clock).to_have_attribute("data-tone", "far over")
    told(page, "Nothing is cut off")
    expect(box(page)).to_be_editable()


def test_the_crossing_is_not_said_again_after_a_reload(opened):
    page = opened()
    begin_at_noon(page, "50 s")
    let_it_be_noon_and(page, 51)
    told(page, "50 seconds have passed")
    page.reload()
    let_it_be_noon_and(page, 51 + 51)
    expect(page.locator("#clock")).to_have_attribute("data-tone", "over")
    expect(page.locator("#live")).to_have_text("")


def test_a_hidden_tab_is_told_that_the_clock_went_on(opened):
    page = opened()
    begin_at_noon(page, "50 s")
    hide(page, True)
    let_it_be_noon_and(page, 7)
    hide(page, False)
    expect(page.locator("#clock-note")).to_have_text(
        "The clock went on while this tab was hidden: 7 s."
    )


def test_a_reload_keeps_the_draft_the_clock_and_what_was_opened(opened):
    page = opened(PAGE)
    begin(page)
    box(page).fill("half a thought")
    draft_saved(page)
    open_rung(page, "Basics")
    page.reload()
    expect(box(page)).to_have_value("half a thought")
    expect(page.get_by_role("heading", name="Basics")).to_be_visible()
    expect(page.get_by_text("The clock stopped when you opened a rung")).to_be_visible()


def test_opening_a_rung_keeps_what_was_typed_a_moment_ago(opened):
    page = opened(PAGE)
    begin(page)
    box(page).press_sequentially("not saved yet")
    open_rung(page, "Basics")
    expect(box(page)).to_have_value("not saved yet")


def test_of_two_tabs_the_newest_text_wins_visibly_and_the_other_can_be_added(opened):
    page = opened(PAGE)
    begin(page)
    other = page.context.new_page()
    other.goto(PAGE)
    box(other).fill("from the other tab")
    draft_saved(other)
    box(page).fill("from this tab")
    expect(page.get_by_text("Another tab or device had saved this one:")).to_be_visible()
    page.get_by_role("button", name="Add it to your text").click()
    expect(box(page)).to_have_value("from this tab\n\nfrom the other tab")
    draft_saved(page)
    page.reload()
    expect(box(page)).to_have_value("from this tab\n\nfrom the other tab")


def test_a_tab_that_is_looked_at_again_shows_what_the_other_saved(opened):
    page = opened(PAGE)
    begin(page)
    other = page.context.new_page()
    other.goto(PAGE)
    box(other).fill("newer")
    draft_saved(other)
    hide(page, True)
    hide(page, False)
    expect(box(page)).to_have_value("newer")
    expect(page.locator("#draft-note")).to_contain_text("newer text from another tab")


def test_a_tab_whose_answer_was_handed_in_elsewhere_says_so_and_keeps_its_text(opened):
    page = opened(PAGE)
    begin(page)
    other = page.context.new_page()
    other.goto(PAGE)
    hand_in(other)
    box(page).fill("typed too late")
    expect(page.locator("#draft-note")).to_contain_text("handed in already")
    expect(box(page)).to_have_value("typed too late")


def test_a_server_that_does_not_answer_costs_no_text(opened):
    page = opened(PAGE)
    begin(page)
    page.route("**/attempts/**", lambda route: route.abort())
    box(page).fill(ANSWER)
    page.get_by_role("button", name="Hand in").click()
    expect(page.locator("#live.error")).to_be_visible()
    expect(box(page)).to_have_value(ANSWER)
    page.unroute("**/attempts/**")
    page.get_by_role("button", name="Hand in").click()
    arrive(page, page.get_by_role("heading", name="Your own view first"))


def test_a_draft_that_could_not_be_saved_is_saved_later(opened):
    page = opened(PAGE)
    begin(page)
    page.route("**/draft", lambda route: route.fulfill(status=503, body="busy"))
    box(page).fill("kept in the end")
    expect(page.locator("#draft-note")).to_contain_text("not saved: the server did not answer")
    page.unroute("**/draft")
    draft_saved(page)


def test_a_refusal_is_told_in_its_own_words_and_costs_no_text(opened, settings):
    page = opened(PAGE)
    begin(page)
    too_long = "x" * (settings.max_answer_characters + 1)
    box(page).fill(too_long)
    page.get_by_role("button", name="Hand in").click()
    expect(page.locator("#live.error")).to_contain_text("An answer holds at most 20,000 characters")
    expect(box(page)).to_have_value(too_long)


def test_in_the_box_no_single_key_acts_and_tab_leaves_it(opened):
    page = opened(PAGE)
    begin(page)
    page.keyboard.type("123uon?/")
    expect(box(page)).to_have_value("123uon?/")
    expect(page.get_by_role("heading", name="Your own view first")).to_have_count(0)
    page.keyboard.press("Tab")
    expect(box(page)).not_to_be_focused()


def test_a_double_click_on_start_begins_one_attempt(opened, database):
    page = opened(PAGE)
    sent = posted(page)
    page.get_by_role("button", name="Start").dblclick()
    arrive(page, box(page))
    for request in sent:
        request.response()  # the second click's too, if it sent anything
    with database.reading() as session:
        assert session.scalar(select(func.count()).select_from(Attempt)) == 1


def test_an_answer_with_markup_is_shown_as_typed_and_never_run(opened):
    page = opened(PAGE)
    begin(page)
    typed = '<img src=x onerror="document.title=1"> <b>bold</b> `code` $x$'
    hand_in(page, typed)
    expect(page.locator(".typed").first).to_have_text(typed)
    expect(page.locator(".typed").first.locator("*")).to_have_count(0)
    assert page.title() != "1"
