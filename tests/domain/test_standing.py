"""Where a learner stands, and what comes next."""

from datetime import UTC, datetime, timedelta

from app.domain.standing import Answered, Standing, next_to_practise, standing

START = datetime(2026, 11, 30, tzinfo=UTC)


def answered(tier="basics", seconds=10.0, *, day=0, tripped: int | None = 0, covered=2):
    return Answered(1, tier, 20, seconds, START + timedelta(days=day), tripped, covered, 3)


def test_only_answers_in_time_stand():
    stand = standing([answered(seconds=20.0), answered("solid", 19.9)])
    assert stand.in_time == ("solid",)
    assert stand.best == "solid"


def test_an_answer_in_time_stands_once_it_covers_most_of_its_points_and_trips_nothing():
    assert standing([answered(covered=2)]).in_time == ("basics",)
    assert standing([answered(covered=1)]).in_time == ()
    assert standing([answered(tripped=1)]).in_time == ()


def test_one_whose_check_was_not_shown_does_not_stand():
    assert standing([answered(tripped=None)]).in_time == ()


def test_the_longest_tier_in_time_is_the_best_whenever_it_was_answered():
    assert standing([answered("deep", day=0), answered("basics", day=5)]).best == "deep"


def test_the_last_answer_is_the_newest_whatever_the_order_given():
    newest = answered(day=3)
    assert standing([newest, answered(day=1)]).last == newest


def test_next_comes_what_is_being_answered_then_the_new_then_the_tripped_then_the_oldest():
    known = {
        "old": standing([answered(day=0)]),
        "recent": standing([answered(day=9)]),
        "tripped": standing([answered(day=9, tripped=2)]),
        "new": Standing(),
        "open": standing([answered(day=9)], answering=True),
    }
    order = ["recent", "old", "tripped", "new", "open"]
    ranked = []
    while order:
        following = next_to_practise(known, order)
        ranked.append(following)
        order.remove(following)
    assert ranked == ["open", "new", "tripped", "old", "recent"]


def test_without_cards_nothing_comes_next():
    assert next_to_practise({}, []) is None
