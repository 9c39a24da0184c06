"""Pictures as markup: sound, described, without styles, in the widths that the sheet shows."""

from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st

from app.web.charts.drawing import NARROW, WIDE
from tests.web.any_picture import bars, plots
from tests.web.drawn_pictures import rendered


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


def test_the_two_widths_are_those_that_the_style_sheet_shows():
    assert (NARROW.width, WIDE.width) == (330, 680)
