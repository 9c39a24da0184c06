"""The steps of a rehearsal as a person takes them, and what every page must keep to.

A click comes back before what it sets off has happened. So each step here ends only when the page,
or the part, that it leads to is there: what a test reads next is then never the page before, nor
one half there. A test that takes a step of its own does the same, by `leave`, `follow` or `arrive`.
"""

import re

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, Request, expect

PAGE = "/questions/fused-normalization-chain"
ANSWER = "Each stage writes the tensor to HBM and the next reads it again; fusing saves the trips."

_AXE = Axe()


def leave(page: Page, through: Locator) -> None:
    """Press what leads to another page, and wait until all of that page is there."""
    with page.expect_navigation():
        through.click()


def follow(page: Page, name: str | re.Pattern[str], *, exact: bool = False) -> None:
    """Follow a link to another page, and wait until all of that page is there."""
    leave(page, page.get_by_role("link", name=name, exact=exact))


def arrive(page: Page, where: Locator) -> None:
    """Wait for what a step on the card leads to: a new page, or a part that takes the focus.

    The focus comes last, after the part is shown and its own forms and links have been made ready.
    """
    expect(where).to_be_visible()
    page.wait_for_load_state()
    if page.evaluate("typeof htmx") != "undefined":
        expect(where).to_be_focused()


def begin(page: Page, length: str = "50 s") -> None:
    """Choose a length and start."""
    page.get_by_role("radio", name=length).check()
    page.get_by_role("button", name="Start").click()
    arrive(page, box(page))


def box(page: Page) -> Locator:
    """The box that the answer is typed into."""
    return page.get_by_role("textbox", name="Your answer")


def hand_in(page: Page, text: str = ANSWER) -> None:
    """Type an answer and hand it in."""
    box(page).fill(text)
    page.get_by_role("button", name="Hand in").click()
    arrive(page, page.get_by_role("heading", name="Your own view first"))


def review(page: Page) -> None:
    """Tick a point, say how sure, and look at the check."""
    page.get_by_role("checkbox").first.check()
    page.get_by_role("radio", name="fairly sure").check()
    page.get_by_role("button", name="Show the check").click()
    arrive(page, page.get_by_role("heading", name="The check"))


def open_rung(page: Page, name: str) -> None:
    """Open a rung of the ladder."""
    folded = page.get_by_text("Look something up")
    if folded.is_visible():  # the clock is running
        folded.click()
    page.locator("#ladder").get_by_role("link", name=name).click()
    arrive(page, page.get_by_role("heading", name=name, level=3))


def open_the_whole_ladder(page: Page) -> None:
    """Open what is left of the ladder, one rung at a time."""
    closed = page.locator("#ladder .rung > a")
    while closed.count() > 0:
        rung = closed.first.get_attribute("data-then-focus")
        closed.first.click()
        arrive(page, page.locator(f"h3{rung}"))


def posted(page: Page) -> list[Request]:
    """The forms that the page sends from here on, also one whose answer it doesn't wait for."""
    sent = list[Request]()
    page.on("request", lambda request: sent.append(request) if request.method == "POST" else None)
    return sent


def open_what_is_folded(page: Page) -> None:
    """Open everything on the page that is shown by a press only."""
    page.wait_for_load_state()
    for title in page.locator("summary").all():
        title.click()
    expect(page.locator("details:not([open])")).to_have_count(0)


def look_over(page: Page) -> None:
    """Nothing runs out of the page's side, and axe finds nothing."""
    fits(page)
    page.evaluate("Promise.allSettled(document.getAnimations().map(one => one.finished))")
    found = _AXE.run(page)
    assert found.violations_count == 0, found.generate_report()


def fits(page: Page) -> None:
    """Nothing runs out of the page's side: what can be seen to without a script, as axe is one."""
    page.wait_for_load_state()
    wide, window = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= window, f"{page.url} is {wide} px wide in a window of {window} px"
