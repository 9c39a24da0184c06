"""Beside each picture is a table with every number of it."""

import re

from app.web.charts import drawn
from kernels.lab.pictures import Axis, Plot, Point, Series
from tests.web.drawn_pictures import ROOFLINE, rendered


def cells(html: str) -> str:
    return re.sub(r"<[^>]+>", " ", html[html.index("<table") :])


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


def test_a_point_without_a_label_in_the_picture_has_its_name_in_the_table():
    points = (Point(1, 2, label="drawn"), Point(2, 3, name="told only"))
    made = drawn(Plot("P", Axis("x"), Axis("y"), (Series("s", points, joined=False),)))
    assert [row[1] for row in made.data.rows] == ["drawn", "told only"]
    assert "told only" in made.told
    assert not any(text.words == "told only" for d in made.drawings for text in d.texts)


def test_hundreds_of_labels_are_not_tried_and_stand_in_the_table():
    many = tuple(Point(i, 3, label=f"label {i}") for i in range(400))
    made = drawn(Plot("P", Axis("x"), Axis("y"), (Series("s", many, joined=False),)))
    assert all(len(drawing.texts) + len(drawing.keys) < 100 for drawing in made.drawings)
    assert [row[1] for row in made.data.rows] == [point.label for point in many]
