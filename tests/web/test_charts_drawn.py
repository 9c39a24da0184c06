"""Lines and bars as they are drawn: as long as their values, and never over what there is not."""

from itertools import pairwise

import pytest

from app.web.charts import drawn
from kernels.lab.pictures import Axis, Bar, Bars, Mark, Plot, Point, Series


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
