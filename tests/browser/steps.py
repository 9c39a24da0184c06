"""The steps of a rehearsal as a person takes them, and what every page must keep to."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

PAGE = "/questions/fused-normalization-chain"
ANSWER = "Each stage writes the tensor to HBM and the next reads it again; fusing saves the trips."

_AXE = Axe()


def begin(page: Page, length: str = "50 s") -> None:
    """Choose a length and start."""
    page.get_by_role("radio", name=length).check()
    page.get_by_role("button", name="Start").click()
    expect(box(page)).to_be_visible()


def box(page: Page):
    """The box that the answer is typed into."""
    return page.get_by_role("textbox", name="Your answer")


def hand_in(page: Page, text: str = ANSWER) -> None:
    """Type an answer and hand it in."""
    box(page).fill(text)
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_role("heading", name="Your own view first")).to_be_visible()


def review(page: Page) -> None:
    """Tick a point, say how sure, and look at the check."""
    page.get_by_role("checkbox").first.check()
    page.get_by_role("radio", name="fairly sure").check()
    page.get_by_role("button", name="Show the check").click()
    expect(page.get_by_role("heading", name="The check")).to_be_visible()


def open_rung(page: Page, name: str) -> None:
    """Open a rung of the ladder."""
    page.get_by_role("link", name=name).click()
    expect(page.get_by_role("heading", name=name, level=3)).to_be_visible()


def open_the_whole_ladder(page: Page) -> None:
    """Open what is left of the ladder, one rung at a time."""
    closed = page.locator("#ladder .rung > a")
    while (left := closed.count()) > 0:
        closed.first.click()
        expect(closed).to_have_count(left - 1)


def look_over(page: Page) -> None:
    """Nothing runs out of the page's side, and axe finds nothing."""
    wide, window = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= window, f"{page.url} is {wide} px wide in a window of {window} px"
    found = _AXE.run(page)
    assert found.violations_count == 0, found.generate_report()


def focused(page: Page) -> str:
    """The id of the element that has the focus."""
    return page.evaluate("document.activeElement.id")
