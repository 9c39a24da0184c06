"""Labels stay within their frame and apart from each other, whatever is asked."""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from app.web.charts.geometry import Box
from app.web.charts.layout import ABOVE, RIGHT, Room, Wanted
from app.web.charts.text import cut, width, wrapped

FRAME = Box(40, 20, 330, 260)
inside = st.tuples(st.floats(40, 330), st.floats(20, 260))
words = st.text("abcdefghij klmWM0123456789µ×→", min_size=1, max_size=30)
wanted = st.builds(Wanted, words, st.lists(inside, min_size=1, max_size=4).map(tuple))


def squares(spots):
    return [Box(x - 5, y - 5, x + 5, y + 5) for x, y in spots]


@settings(max_examples=60, deadline=None)
@given(st.lists(wanted, max_size=14), st.lists(inside, max_size=20))
def test_placed_labels_are_within_the_frame_and_pairwise_apart(labels, spots):
    room = Room(FRAME, squares(spots), [((40, 20), (330, 260))])
    told = [room.place(label) for label in labels]
    assert sum(told) == len(room.placed)
    boxes = [placed.box for placed in room.placed]
    assert all(box.within(FRAME) for box in boxes)
    assert not any(a.meets(b) for a, b in combinations(boxes, 2))
    assert not any(box.meets(square) for box in boxes for square in squares(spots))


@settings(max_examples=60, deadline=None)
@given(st.lists(wanted, max_size=10))
def test_no_line_to_a_label_runs_through_another(labels):
    room = Room(FRAME)
    for label in labels:
        room.place(label)
    for one, other in combinations(room.placed, 2):
        for a, b in ((one, other), (other, one)):
            assert not (a.lead and b.box.crossed_by(a.lead))


def test_a_label_with_room_stands_right_of_its_spot():
    room = Room(FRAME)
    assert room.place(Wanted("here", ((100, 100),)))
    placed = room.placed[0]
    assert (placed.box.left, placed.anchor, placed.lead) == (107, "start", None)
    assert placed.box.top < 100 < placed.box.bottom


def test_a_label_at_the_right_edge_goes_to_the_left():
    room = Room(FRAME)
    assert room.place(Wanted("here", ((328, 100),)))
    assert room.placed[0].box.right < 328


def test_a_label_moves_off_a_line_where_it_can():
    through = [((40.0, 100.0), (330.0, 100.0))]
    room = Room(FRAME, lines=through)
    assert room.place(Wanted("here", ((150, 100),), sides=(RIGHT, ABOVE)))
    assert not room.placed[0].box.crossed_by(through[0])


def test_a_label_wider_than_its_frame_has_no_place():
    assert not Room(FRAME).place(Wanted("w" * 60, ((150, 100),)))


def test_the_second_label_of_a_spot_stands_elsewhere_and_the_hundredth_nowhere():
    room = Room(Box(0, 0, 200, 80))
    told = [room.place(Wanted("label", ((100, 40),))) for _ in range(100)]
    assert told[:2] == [True, True] and told[-1] is False


def test_a_segment_crosses_a_box_only_where_it_does():
    box = Box(10, 10, 20, 20)
    assert box.crossed_by(((0, 0), (30, 30)))
    assert box.crossed_by(((15, 0), (15, 30)))
    assert box.crossed_by(((12, 12), (13, 13)))
    assert not box.crossed_by(((0, 15), (30, 50)))
    assert not box.crossed_by(((0, 5), (30, 5)))


@settings(deadline=None)
@given(st.text(max_size=80), st.floats(30, 400))
def test_wrapped_text_keeps_to_its_room(text: str, room: float):
    lines = wrapped(text, room)
    assert all(width(line) <= room for line in lines)
    assert "".join(lines).replace("…", "").replace(" ", "") in "".join(
        text.split()
    ) or "…" in "".join(lines)


def test_a_long_word_is_cut_short():
    assert cut("x" * 100, 50).endswith("…")
    assert cut("short", 500) == "short"


def test_a_label_that_may_cross_no_line_has_no_place_where_all_cross_one():
    grid = [((40.0, y), (330.0, y)) for y in range(20, 260, 10)]
    spot = ((150.0, 100.0),)
    assert Room(FRAME, lines=grid).place(Wanted("here", spot))
    assert not Room(FRAME, lines=grid).place(Wanted("here", spot, crossing=False))
