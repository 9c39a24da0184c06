"""Opening rungs of the ladder: what is kept of it, and what it does to the clock."""

from app.store.models import Reveal
from tests.web.practising import PAGE, answered, begin, count, kept


def test_the_first_rung_opened_stops_the_clock_and_the_next_ones_leave_it(client, database):
    attempt_id = begin(client)
    page = client.get(f"{PAGE}?open=basics").text
    stopped = kept(database, attempt_id).clock_stopped_at
    assert stopped is not None
    assert "data-running" not in page
    assert "The clock stopped" in page
    client.get(f"{PAGE}?open=solid")
    assert kept(database, attempt_id).clock_stopped_at == stopped


def test_asking_for_the_head_of_a_page_opens_nothing(client, database):
    attempt_id = begin(client)
    assert client.head(f"{PAGE}?open=basics").status_code == 200
    assert kept(database, attempt_id).clock_stopped_at is None
    assert count(database, Reveal) == 0


def test_what_was_opened_in_an_attempt_is_open_on_the_next_visit_and_closed_in_the_next_attempt(
    client, card
):
    begin(client)
    client.get(f"{PAGE}?open=basics")
    basics = card.tier("basics").answer.html
    assert basics in client.get(PAGE).text
    answered(client)
    assert basics in client.get(PAGE).text
    assert basics not in client.get(f"{PAGE}?again=1").text
    begin(client)
    assert basics not in client.get(PAGE).text


def test_opening_twice_keeps_the_first_moment(client, database):
    begin(client)
    for _ in range(2):
        client.get(f"{PAGE}?open=basics&open=basics")
    assert count(database, Reveal) == 1
