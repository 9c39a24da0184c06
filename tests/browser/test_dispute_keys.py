"""Disputing a finding with one key, and taking it back with another."""

import re

import pytest
from playwright.sync_api import expect

from app.domain.checking.findings import Finding, Kind, State
from tests.browser.steps import PAGE, begin, hand_in, posted, review
from tests.web.practising import find, kept

ANSWER = "The flops go down. It saves trips."
FOUND = [
    Finding(Kind.KEY_POINT, "round_trips", State.COVERED, 19, 33, ("a sign",)),
    Finding(Kind.KEY_POINT, "same_arithmetic", State.NOT_FOUND),
    Finding(Kind.PITFALL, "fewer_flops", State.FLAGGED, 0, 17, ("a sign", "another")),
]


@pytest.fixture
def checked(opened, database):
    """A checked answer in the browser, and the ids of its findings on the page."""
    page = opened(PAGE)
    begin(page, "20 s")
    hand_in(page, ANSWER)
    review(page)
    address = page.locator("form.dispute").first.get_attribute("action") or ""
    attempt_id = int(re.findall(r"\d+", address)[0])
    find(database, attempt_id, FOUND)
    page.reload()
    rows = {row.ref: f"finding-{row.id}" for row in kept(database, attempt_id).findings}
    return page, rows


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("1", "You said: I said that. It counts."),
        ("2", "You said: I meant the opposite. It counts no more."),
        ("3", "You said: not what I said. It counts no more."),
    ],
)
def test_one_key_says_it_and_one_takes_it_back(checked, key, told):
    page, rows = checked
    finding = page.locator(f"#{rows['fewer_flops']}")
    finding.get_by_role("button").first.focus()
    page.keyboard.press(key)
    expect(finding).to_contain_text(told)
    expect(finding).to_be_focused()
    page.keyboard.press("u")
    expect(finding).not_to_contain_text("You said:")
    expect(finding).to_be_focused()


def test_a_key_means_the_same_in_every_finding(checked):
    page, rows = checked
    for ref, key, told in (
        ("round_trips", "3", "not what I said"),
        ("same_arithmetic", "1", "I said that"),
    ):
        finding = page.locator(f"#{rows[ref]}")
        finding.get_by_role("button").first.focus()
        page.keyboard.press(key)
        expect(finding).to_contain_text(f"You said: {told}.")
        expect(finding).to_be_focused()


def test_a_key_that_a_finding_does_not_offer_does_nothing(checked):
    page, rows = checked
    sent = posted(page)
    page.locator(f"#{rows['round_trips']}").get_by_role("button").first.focus()
    page.keyboard.press("1")
    page.keyboard.press("u")
    page.locator(f"#{rows['same_arithmetic']}").get_by_role("button").first.focus()
    page.keyboard.press("2")
    page.locator("#result-heading").focus()
    for key in ("1", "2", "3", "u"):
        page.keyboard.press(key)
    page.reload()
    assert sent == []
    expect(page.get_by_text("You said:")).to_have_count(0)


def test_a_key_with_ctrl_is_the_browsers_own(checked):
    page, rows = checked
    sent = posted(page)
    page.locator(f"#{rows['fewer_flops']}").get_by_role("button").first.focus()
    page.keyboard.press("Control+2")
    page.keyboard.press("Alt+2")
    page.reload()
    assert sent == []
    expect(page.get_by_text("You said:")).to_have_count(0)
