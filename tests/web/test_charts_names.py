"""What is named in a plot: its points, its lines, its regions, and what stands in the key."""

from app.web.charts import drawn
from app.web.charts.drawing import NARROW
from kernels.lab.pictures import Axis, Plot, Point, Region, Series
from tests.web.drawn_pictures import KERNELS, ROOFLINE


def test_a_label_that_finds_no_room_stands_in_the_key_with_a_letter():
    narrow = next(d for d in drawn(ROOFLINE).drawings if d.name == NARROW.name)
    told = {text.words for text in narrow.texts}
    lettered = {key.letter: key.words for key in narrow.keys if key.letter}
    assert lettered and lettered.keys() <= told
    for point in KERNELS.points:
        assert not (point.label in told and point.label in lettered.values())


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


def test_a_region_is_named_over_its_own_stretch():
    x = tuple(Point(10.0**e, 1) for e in range(7))
    plot = Plot("P", Axis("x", "B", log=True), Axis("y"), (Series("s", x),),
                (Region("small", None, 1e2), Region("large", 1e2, None)))  # fmt: skip
    for drawing in drawn(plot).drawings:
        at = {text.words: text.x for text in drawing.texts if text.kind == "region"}
        assert at.keys() == {"small", "large"}
        assert at["small"] < drawing.width / 2 < at["large"]
