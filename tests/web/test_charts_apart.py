"""No text of a picture leaves its drawing or lies on another; marks stand clear of other words."""

import re
from itertools import combinations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.web.charts import drawn, drawn_expectation
from app.web.charts.drawing import Drawing
from app.web.charts.geometry import Box
from kernels.lab.conclusion import Answer
from kernels.lab.pictures import Bars, Plot
from tests.lab import recorded
from tests.web.any_picture import bars, plots, values
from tests.web.drawn_pictures import ROOFLINE, box_of, segments_of


def nothing_collides(drawing: Drawing, ends: float = 0.0) -> None:
    """All texts are within the drawing, and no two share any area."""
    boxes = [(text, box_of(text)) for text in drawing.texts]
    frame = Box(-ends - 0.01, -0.01, drawing.width + ends + 0.01, drawing.height + 0.01)
    for text, box in boxes:
        assert box.within(frame), (drawing.name, text, drawing.height)
    for (one, a), (other, b) in combinations(boxes, 2):
        shrunk = Box(a.left + 0.01, a.top + 0.01, a.right - 0.01, a.bottom - 0.01)
        assert not shrunk.meets(b), (drawing.name, one, other)


@settings(max_examples=40, deadline=None)
@given(plots)
@example(ROOFLINE)
def test_no_text_of_a_plot_leaves_it_or_lies_on_another(plot: Plot):
    for drawing in drawn(plot).drawings:
        nothing_collides(drawing)


@settings(max_examples=40, deadline=None)
@given(bars)
def test_no_text_of_bars_leaves_them_or_lies_on_another(shown: Bars):
    for drawing in drawn(shown).drawings:
        nothing_collides(drawing)


@settings(max_examples=40, deadline=None)
@given(bars)
def test_the_line_of_a_mark_runs_through_no_words_of_bars(shown: Bars):
    for drawing in drawn(shown).drawings:
        lines = [line for p in drawing.paths if p.kind == "mark" for line in segments_of(p)]
        for box in map(box_of, drawing.texts):
            within = Box(box.left, box.top + 0.1, box.right, box.bottom - 0.1)
            assert not any(map(within.crossed_by, lines)), drawing


@pytest.mark.parametrize("name", ["activation", "matmuls", "roofline"])
def test_no_label_of_a_point_lies_on_a_line_of_the_recorded_pictures(name: str):
    [plot] = recorded.concluded(name).pictures
    for drawing in drawn(plot).drawings:
        lines = [one for p in drawing.paths if p.kind.startswith("line") for one in segments_of(p)]
        labels = [t for t in drawing.texts if t.kind in ("of-point", "letter strong")]
        assert labels
        on_one = [t.words for t in labels if any(map(box_of(t).crossed_by, lines))]
        assert not on_one, drawing.name


@settings(max_examples=40, deadline=None)
@given(
    st.builds(
        Answer, values, st.none() | values, st.none() | values, st.just(""), st.none() | values
    ),
    st.none() | values,
    st.none() | values,
    st.sampled_from(["×", "%"]),
)
def test_no_text_of_an_expectation_leaves_it_or_lies_on_another(answer, low, high, unit):
    made = drawn_expectation(answer, low, high, unit)
    for drawing in made.drawings if made else ():
        nothing_collides(drawing)


def test_a_mark_stands_nearer_to_its_own_words_than_to_the_next_ones():
    made = drawn_expectation(Answer(2.29, 2.26, 2.31, "95 %", 7 / 3, "bytes"), 2, 3)
    assert made is not None
    for drawing in made.drawings:
        [cross] = [path for path in drawing.paths if path.kind == "point theory stroked"]
        heights = [float(y) for y in re.findall(r"[ML][\d.-]+ ([\d.-]+)", cross.d)]
        own, after = [box_of(text) for text in drawing.texts if text.kind == "name over"][1:3]
        assert after.top - max(heights) >= 2 * (min(heights) - own.bottom) > 0


def test_no_words_hide_the_ridge_of_the_recorded_roofline():
    [plot] = recorded.concluded("roofline").pictures
    for drawing in drawn(plot).drawings:
        roof = next(path for path in drawing.paths if "line limit" in path.kind)
        x, y = list(zip(*[map(float, re.findall(r"[\d.]+", roof.d))] * 2, strict=True))[1]
        ridge = Box(x - 4, y - 4, x + 4, y + 4)
        assert not [text.words for text in drawing.texts if box_of(text).meets(ridge)], drawing.name
