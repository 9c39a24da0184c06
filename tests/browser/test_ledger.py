"""The ledger is filled in and checked, with and without JavaScript, on a phone and a desk."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import arrive, fits, follow, look_over

ADDRESS = "/experiments/chain/ledger"
FORWARD = {
    "Activation, reads": "1",
    "Activation, writes": "1",
    "Add, reads": "2",
    "Separate kernels, total": "7",
    "Norm + activation + add, reads": "2",
    "Norm + activation + add, writes": "1",
    "One pass, total": "3",
    "Separate ÷ one pass, ratio": "7/3",
}


def fill(page: Page, values: dict[str, str]) -> None:
    for label, value in values.items():
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_role("button", name="Check").click()


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("javascript", [True, False], ids=["with-js", "without-js"])
def test_a_miscount_is_told_and_mended(opened, width, scheme, javascript):
    dress = {"width": width, "color_scheme": scheme, "java_script_enabled": javascript}
    page = opened("/experiments/chain", **dress)
    follow(page, "Fill in the ledger")
    check = look_over if javascript else fits  # axe itself is a script
    check(page)
    fill(page, FORWARD | {"Add, reads": "1", "Separate kernels, total": "6"})
    arrive(page, page.get_by_role("heading", name="Look again at what add reads"))
    expect(page.get_by_text("A sum has two operands")).to_be_visible()
    check(page)
    fill(page, FORWARD)
    arrive(page, page.get_by_role("heading", name="The whole ledger holds."))
    expect(page.get_by_label("Add, reads", exact=True)).to_have_value("2")
    check(page)


def test_after_a_check_the_focus_is_on_what_came_of_it(opened):
    page = opened(f"{ADDRESS}?direction=backward&blanks=all")
    page.get_by_label("Whole backward, reads").fill("3")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Look again at what whole backward")).to_be_focused()
    expect(page.locator("#live")).to_contain_text("Look again at what whole backward reads")
    expect(page).to_have_url(re.compile("direction=backward&blanks=all$"))
