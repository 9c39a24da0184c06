"""The lab's pictures in Chromium: legible at every width, light and dark, by key and in print."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from app.settings import ROOT
from app.web.charts.text import width
from app.web.templating import templates
from kernels.lab.conclusion import Answer
from kernels.lab.pictures import Axis, Bar, Bars, Mark, Plot, Point, Region, Series
from tests.browser.steps import look_over

SHEETS = ("tokens.css", "app.css", "runs.css", "charts.css")
PAGE = """
{% from "_charts.html" import picture, expectation %}
<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Pictures</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>{{ css | safe }}</style>
</head><body><main><h1>Pictures</h1>{% for one in pictures %}{{ picture(one) }}{% endfor %}
{{ expectation(answer, 2, 3) }}</main></body></html>
"""
DRAWINGS = "[...document.querySelectorAll('.drawing')].filter(d => d.offsetParent)"
SEEN = f"() => {DRAWINGS}.map(d => d.className)"
LETTERS = f"""() => {DRAWINGS}.map(d => d.querySelector('svg[role=img]'))
  .map(svg => 13 * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width)"""
OVERLAPS = f"""() => {DRAWINGS}.map(d => d.querySelector('svg')).flatMap(svg => {{
  const boxes = [...svg.querySelectorAll('text')].map(t => [t.textContent, t.getBBox()])
  const out = boxes.filter(([, b]) => b.x < -1.5 || b.x + b.width > svg.viewBox.baseVal.width + 1.5)
  const met = boxes.flatMap(([one, a], i) => boxes.slice(i + 1).filter(([, b]) =>
    a.x < b.x + b.width && b.x < a.x + a.width
    && a.y < b.y + b.height - 2 && b.y < a.y + a.height - 2
  ).map(([other]) => [one, other]))
  return [...out.map(([words]) => [words]), ...met]
}})"""
LENGTH = """([words, kind]) => {
  const text = document.querySelector('.drawing.wide svg text')
  text.textContent = words
  text.setAttribute('class', kind)
  return text.getBBox().width
}"""
INK = "() => getComputedStyle(document.querySelector('.chart text')).fill"
WORDS = "The quick brown fox, 1,234.5 µs–ms × ÷ 95 % → −0.5 GFLOP/s QKᵀ·V 10⁻⁹ ≤ (W₁) wide WARM MMM"


def a_sweep() -> Plot:
    sizes = [10.0**e for e in range(4, 11)]
    lines = (("PyTorch, eager", 28, 11, "other"), ("Separate kernels", 15, 7, "many"),
             ("One pass", 6, 3, "one"), ("One pass in a CUDA graph", 2, 3, "one"))  # fmt: skip
    return Plot(
        "Time over size",
        Axis("volume of one tensor", "B", log=True),
        Axis("time", "µs", log=True),
        tuple(
            Series(name, tuple(Point(x, start + n * x / 4e6) for x in sizes), role)
            for name, start, n, role in lines
        ),
        (
            Region("launch-bound", None, 2e6),
            Region("cache-resident", 2e6, 5e7),
            Region("memory-bound", 5e7),
        ),
        (Mark(1000, "one millisecond"),),
        "Medians.",
    )


def a_roofline() -> Plot:
    kernels = [("norm", 1.7, 6e12), ("activation", 1.3, 5e12), ("add", 0.2, 7e11)]
    matmuls = [("feed-forward, up", 900, 6.7e14), ("feed-forward, down", 905, 6.5e14),
               ("projections", 620, 6e14), ("attention out", 610, 5.9e14)]  # fmt: skip
    return Plot(
        "A roofline",
        Axis("arithmetic intensity", "FLOP/B", log=True),
        Axis("speed", "FLOP/s", log=True),
        (
            Series("memory, 4 TB/s", (Point(0.1, 4e11), Point(200, 8e14)), "limit"),
            Series("matrix units, 800 TFLOP/s", (Point(200, 8e14), Point(3000, 8e14)), "limit"),
            Series(
                "separate kernels",
                tuple(Point(x, y, label=w) for w, x, y in kernels),
                "many",
                False,
            ),
            Series("matmuls", tuple(Point(x, y, label=w) for w, x, y in matmuls), "other", False),
        ),
    )


BARS = Bars(
    "Time of each variant",
    "µs",
    (
        Bar("Separate kernels", 198.2, 196, 201, "85 % of the limit", "many"),
        Bar("PyTorch, eager", 301, 290, 330, "40 % of the limit"),
        Bar("One pass", 90.1, 89.5, 91, "97 % of the limit", "one"),
    ),
    Mark(87.2, "limit for one pass 87.2 µs"),
)
ANSWER = Answer(2.29, 2.26, 2.31, "95 % of resamplings", 7 / 3, "bytes")


@pytest.fixture
def pictures(browser: Browser, tmp_path: Path):
    """Opens a page that holds one picture of each kind."""
    css = "".join((ROOT / "static" / sheet).read_text() for sheet in SHEETS)
    shown = (BARS, a_sweep(), a_roofline())
    html = templates().from_string(PAGE).render(css=css, pictures=shown, answer=ANSWER)
    (tmp_path / "pictures.html").write_text(html)
    contexts = []

    def opened(window: int, scheme: str = "light") -> Page:
        size = {"width": window, "height": 900}
        contexts.append(browser.new_context(viewport=size, color_scheme=scheme))
        page = contexts[-1].new_page()
        page.goto((tmp_path / "pictures.html").as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("window", "drawing"), [(320, "narrow"), (390, "narrow"), (1280, "wide")])
def test_pictures_are_legible_and_nothing_in_them_collides(pictures, window, drawing, scheme):
    page = pictures(window, scheme)
    assert page.evaluate(SEEN) == [f"drawing {drawing}"] * 4
    assert page.evaluate(OVERLAPS) == []
    assert all(11 <= pixels <= 17 for pixels in page.evaluate(LETTERS))
    look_over(page)


@pytest.mark.parametrize("kind", ["", "value strong"])
def test_no_text_is_wider_than_was_guessed(pictures, kind):
    page = pictures(1280)
    for words in [*WORDS.split(), WORDS, *"ijl.,:;'|! ()[]ft·-/mwMWµ%@—…→×0aA"]:
        assert page.evaluate(LENGTH, [words, kind]) <= width(words, kind) + 0.5, words


def test_the_numbers_of_a_picture_are_reached_by_keyboard(pictures):
    page = pictures(390)
    page.keyboard.press("Tab")
    expect(page.locator("summary").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("rowheader", name="One pass", exact=True)).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("region", name=BARS.title, exact=True)).to_be_focused()


def test_a_picture_is_told_to_a_screen_reader_once(pictures):
    page = pictures(1280)
    expect(page.get_by_role("img", name="Time over size")).to_have_count(1)
    expect(page.get_by_role("img")).to_have_count(4)


def test_pictures_are_printed_whole(pictures):
    page = pictures(1280)
    page.emulate_media(media="print")
    assert page.evaluate(OVERLAPS) == []
    expect(page.locator(".chart details").first).to_be_hidden()
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.chart')).breakInside") == "avoid"
    )


def test_a_page_kept_dark_is_printed_in_light_colours(pictures):
    page = pictures(1280, "dark")
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    dark = page.evaluate(INK)
    page.emulate_media(media="print")
    assert page.evaluate(INK) != dark
