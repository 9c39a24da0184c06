"""Whole pictures: no text leaves its drawing or lies on another; every number is in the table."""

import re
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.web.charts import drawn, drawn_expectation
from app.web.charts.drawing import LINE, NARROW, RISE, WIDE, Drawing, Text
from app.web.charts.geometry import Box
from app.web.charts.text import width
from app.web.pages import templates
from kernels.lab.conclusion import Answer
from kernels.lab.pictures import Axis, Bar, Bars, Mark, Plot, Point, Region, Series
from tests.lab import recorded

ROLES = ("one", "many", "other", "limit", "theory")
names = st.text("abcdefgh WMµ0123456789", min_size=1, max_size=24).filter(str.strip)
measured = st.floats(0, 1e9)
values = st.one_of(measured, st.floats(-10, 10), st.sampled_from([0.0, float("nan"), float("inf")]))
units = st.sampled_from(["", "µs", "B", "×", "GB/s", "FLOP/s"])
points = st.builds(
    Point,
    values,
    values,
    st.none() | values,
    st.none() | values,
    st.one_of(st.just(""), names),
)
series = st.builds(
    Series,
    names,
    st.lists(points, max_size=7).map(tuple),
    st.sampled_from(ROLES),
    st.booleans(),
)
axes = st.builds(Axis, names, units, st.booleans())
plots = st.builds(
    Plot,
    names,
    axes,
    axes,
    st.lists(series, max_size=4).map(tuple),
    st.lists(st.builds(Region, names, st.none() | values, st.none() | values), max_size=3).map(
        tuple
    ),
    st.lists(st.builds(Mark, values, names), max_size=2).map(tuple),
)
bars = st.builds(
    Bars,
    names,
    units,
    st.lists(
        st.builds(
            Bar,
            names,
            values,
            st.none() | values,
            st.none() | values,
            names,
            st.sampled_from(ROLES),
        ),
        max_size=5,
    ).map(tuple),
    st.none() | st.builds(Mark, values, names),
)

ROOFS = (
    Series("memory, 4 TB/s", (Point(0.1, 4e11), Point(200, 8e14)), "limit"),
    Series("matrix units, 800 TFLOP/s", (Point(200, 8e14), Point(3000, 8e14)), "limit"),
)
KERNELS = Series(
    "kernels",
    tuple(Point(1 + i / 20, 3e12 + 1e11 * i, label=f"kernel number {i}") for i in range(12)),
    "many",
    joined=False,
)
ROOFLINE = Plot(
    "A roofline",
    Axis("intensity", "FLOP/B", log=True),
    Axis("speed", "FLOP/s", log=True),
    (*ROOFS, KERNELS, Series("one pass", (Point(2, 7e12, label="one pass"),), "one", joined=False)),
)


def box_of(text: Text) -> Box:
    long = width(text.words, text.kind)
    left = text.x - {"start": 0, "middle": long / 2, "end": long}[text.anchor]
    return Box(left, text.y - RISE, left + long, text.y - RISE + LINE)


def nothing_collides(drawing: Drawing, ends: float = 0.0) -> None:
    """All texts are within the drawing, and no two share any area."""
    boxes = [(text, box_of(text)) for text in drawing.texts]
    frame = Box(-ends - 0.01, -0.01, drawing.width + ends + 0.01, drawing.height + 0.01)
    for text, box in boxes:
        assert box.within(frame), (drawing.name, text, drawing.height)
    for (one, a), (other, b) in combinations(boxes, 2):
        shrunk = Box(a.left + 0.01, a.top + 0.01, a.right - 0.01, a.bottom - 0.01)
        assert not shrunk.meets(b), (drawing.name, one, other)


def rendered(source: str, **values) -> str:
    imported = '{% from "_charts.html" import picture, expectation %}'
    return templates().from_string(imported + source).render(**values)


def cells(html: str) -> str:
    return re.sub(r"<[^>]+>", " ", html[html.index("<table") :])


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


@settings(max_examples=30, deadline=None)
@given(st.one_of(plots, bars))
def test_every_picture_is_sound_markup_without_any_style_of_its_own(shown):
    html = rendered("{{ picture(p) }}", p=shown)
    figure = ElementTree.fromstring(html.strip().replace("&nbsp;", " "))
    assert not [e for e in figure.iter() if "style" in e.attrib or e.tag == "style"]
    drawings = [e for e in figure.iter("svg") if e.get("role") == "img"]
    assert len(drawings) == 2
    for svg in drawings:
        assert svg.findtext("title") and svg.findtext("desc")


def test_a_label_that_finds_no_room_stands_in_the_key_with_a_letter():
    narrow = next(d for d in drawn(ROOFLINE).drawings if d.name == NARROW.name)
    told = {text.words for text in narrow.texts}
    lettered = {key.letter: key.words for key in narrow.keys if key.letter}
    assert lettered and lettered.keys() <= told
    for point in KERNELS.points:
        assert not (point.label in told and point.label in lettered.values())


def test_hundreds_of_labels_are_not_tried_and_stand_in_the_table():
    many = tuple(Point(i, 3, label=f"label {i}") for i in range(400))
    made = drawn(Plot("P", Axis("x"), Axis("y"), (Series("s", many, joined=False),)))
    assert all(len(drawing.texts) + len(drawing.keys) < 100 for drawing in made.drawings)
    assert [row[1] for row in made.data.rows] == [point.label for point in many]


def test_every_point_and_mark_stands_in_the_table():
    told = cells(rendered("{{ picture(p) }}", p=ROOFLINE))
    for one in ROOFLINE.series:
        assert one.name in told
        assert all(point.label in told for point in one.points)


def test_series_over_the_same_places_stand_side_by_side_in_the_table():
    both = tuple(
        Series(name, tuple(Point(x, x * k, x * k - 1, x * k + 1) for x in (1000, 2000)))
        for name, k in (("a", 2), ("b", 3))
    )
    data = drawn(Plot("P", Axis("size", "B"), Axis("time", "µs"), both)).data
    assert data.columns == ("size, B", "a, µs", "b, µs")
    assert data.rows[0] == ("1,000", "2,000 (1,999–2,001)", "3,000 (2,999–3,001)")


def test_a_series_name_stands_beside_its_line():
    line = Series("one pass", tuple(Point(x, 10 * x) for x in range(1, 6)), "one")
    for drawing in drawn(Plot("P", Axis("x"), Axis("y"), (line,))).drawings:
        assert "one pass" in [text.words for text in drawing.texts]
        assert drawing.keys == ()


def test_a_name_beside_one_of_many_scattered_points_would_be_taken_for_its_label():
    cloud = Series("guesses", tuple(Point(x, 10 * x) for x in range(1, 6)), "one", joined=False)
    for drawing in drawn(Plot("P", Axis("x"), Axis("y"), (cloud,))).drawings:
        assert "guesses" not in [text.words for text in drawing.texts]
        assert [key.words for key in drawing.keys] == ["guesses"]


def test_a_point_that_a_log_axis_cannot_hold_breaks_the_line_and_stays_in_the_table():
    found = tuple(Point(x, y) for x, y in ((1, 1), (2, 5), (3, 0), (4, 5), (5, 6)))
    made = drawn(Plot("P", Axis("x"), Axis("y", log=True), (Series("a", found, "one"),)))
    line = next(path for path in made.drawings[0].paths if path.kind.startswith("line"))
    assert line.d.count("M") == 2
    assert len(made.data.rows) == 5


def test_a_limit_far_below_all_else_takes_no_room_and_comes_out_of_the_foot():
    times = Series("times", tuple(Point(10.0**e, 10.0 ** max(3, e)) for e in range(6)), "one")
    limit = Series("limit", tuple(Point(10.0**e, 10.0**e) for e in range(6)), "limit")
    plot = Plot("P", Axis("x", log=True), Axis("y", log=True), (times, limit))
    for drawing in drawn(plot).drawings:
        up = [t.words for t in drawing.texts if t.kind == "tick" and t.anchor == "end"]
        assert (up[0], up[-1]) == ("1,000", "100,000")
        path = next(path.d for path in drawing.paths if path.kind.startswith("line limit"))
        spots = [tuple(map(float, spot.split())) for spot in path[1:].split("L")]
        axis = next(path.d for path in drawing.paths if path.kind == "axis")
        foot = float(axis.split("L")[0].split()[1])
        assert spots[0][1] == foot and all(y <= foot for _, y in spots)
        slopes = {round((b[1] - a[1]) / (b[0] - a[0]), 1) for a, b in pairwise(spots)}
        assert len(slopes) == 1


def test_a_plot_without_any_point_says_so():
    made = drawn(Plot("P", Axis("x"), Axis("y", log=True), (Series("a", (Point(1, 0),)),)))
    assert [text.words for text in made.drawings[0].texts] == ["There is no point to draw."]


def test_bars_are_as_long_as_their_values_are_great():
    shown = Bars("B", "µs", (Bar("a", 100, 90, 110), Bar("b", 50)), Mark(25, "limit 25 µs"))
    for drawing in drawn(shown).drawings:
        a, b = (float(p.d.split("h")[1].split("v")[0]) for p in drawing.paths if "bar" in p.kind)
        mark = next(p.d for p in drawing.paths if p.kind == "mark")
        assert a == pytest.approx(2 * b, abs=0.2)
        assert float(mark[1:].split()[0]) == pytest.approx(b / 2, abs=0.2)


def test_a_region_is_named_over_its_own_stretch():
    x = tuple(Point(10.0**e, 1) for e in range(7))
    plot = Plot("P", Axis("x", "B", log=True), Axis("y"), (Series("s", x),),
                (Region("small", None, 1e2), Region("large", 1e2, None)))  # fmt: skip
    for drawing in drawn(plot).drawings:
        at = {text.words: text.x for text in drawing.texts if text.kind == "region"}
        assert at.keys() == {"small", "large"}
        assert at["small"] < drawing.width / 2 < at["large"]


def test_an_expectation_shows_guess_theory_and_measurement_in_words_and_marks():
    answer = Answer(2.29, 2.26, 2.31, "95 % of resamplings", 7 / 3, "bytes", p10=2.2, p90=2.4)
    made = drawn_expectation(answer, 2, 3)
    assert made
    assert made.data.rows == (
        ("You said", "2–3×"),
        ("Predicted by bytes", "2.33×"),
        ("Measured", "2.29× (2.26–2.31×)"),
        ("p10–p90 of the rounds", "2.20–2.40×"),
    )
    kinds = {path.kind for path in made.drawings[0].paths}
    assert {"guess", "spread", "known", "point one", "point theory stroked"} <= kinds
    assert "thin line spans p10 to p90 of the rounds, the thick one 95 % of" in made.caption


def test_an_expectation_without_a_guess_or_theory_shows_the_measurement_alone():
    made = drawn_expectation(Answer(6.4, -0.5, 9.1), unit="%")
    assert made
    assert "spread" not in {path.kind for path in made.drawings[0].paths}
    assert made.data.rows == (("Measured", "6.4\u00a0% (−0.5 to 9.1\u00a0%)"),)


def test_a_mark_stands_nearer_to_its_own_words_than_to_the_next_ones():
    made = drawn_expectation(Answer(2.29, 2.26, 2.31, "95 %", 7 / 3, "bytes"), 2, 3)
    assert made is not None
    for drawing in made.drawings:
        [cross] = [path for path in drawing.paths if path.kind == "point theory stroked"]
        heights = [float(y) for y in re.findall(r"[ML][\d.-]+ ([\d.-]+)", cross.d)]
        own, after = [box_of(text) for text in drawing.texts if text.kind == "name over"][1:3]
        assert after.top - max(heights) >= 2 * (min(heights) - own.bottom) > 0


def test_no_change_has_no_sign():
    made = drawn_expectation(Answer(measured=-0.03, low=-0.6, high=0.3), None, None, "%")
    assert made is not None
    assert made.data.rows == (("Measured", "0.0\u00a0% (−0.6 to 0.3\u00a0%)"),)


def test_an_answer_that_is_no_number_has_no_picture():
    assert drawn_expectation(Answer(choice="memory"), 1, 2) is None
    assert rendered("{{ expectation(a, 1, 2) }}", a=Answer(choice="memory")).strip() == ""


def test_the_two_widths_are_those_that_the_style_sheet_shows():
    assert (NARROW.width, WIDE.width) == (330, 680)


def test_no_words_hide_the_ridge_of_the_recorded_roofline():
    [plot] = recorded.concluded("roofline").pictures
    for drawing in drawn(plot).drawings:
        roof = next(path for path in drawing.paths if "line limit" in path.kind)
        x, y = list(zip(*[map(float, re.findall(r"[\d.]+", roof.d))] * 2, strict=True))[1]
        ridge = Box(x - 4, y - 4, x + 4, y + 4)
        assert not [text.words for text in drawing.texts if box_of(text).meets(ridge)], drawing.name
