"""The home page: the cards and where one stands."""

from datetime import timedelta

import pytest
from sqlalchemy import delete

from app.domain.checking.findings import Finding, Kind, State
from app.store.models import Attempt, CardRow
from tests.web.practising import PAGE, answered, begin, find, hand_in, kept, review
from tests.web.reading import plain


def test_the_cards_stand_under_their_topic(client, cards):
    page = client.get("/").text
    assert "GPU performance" in page
    for card in cards:
        assert f'href="/questions/{card.slug}"' in page
        assert card.title in page
    assert "not answered yet" in page


def test_without_cards_the_page_says_how_to_get_some(client, database):
    with database.changing() as session:
        session.execute(delete(CardRow))
        session.commit()
    assert "ridgepoint cards import" in client.get("/").text


def covering(client, database, card, tier):
    """An answer that is found to cover all that its tier asks for; the attempt's id."""
    attempt_id = answered(client, tier=tier)
    asks = card.tier(tier).asks
    whole = [Finding(Kind.KEY_POINT, ref, State.COVERED, 0, 2) for ref in asks]
    find(database, attempt_id, whole)
    return attempt_id


def test_an_answer_in_time_stands_with_its_tier_and_leads_to_a_new_attempt(client, database, card):
    attempt_id = covering(client, database, card, "solid")
    page = client.get("/").text
    assert "▱▰▱" in page and "solid in time · the last" in page and "10 of 10 points" in page
    assert "no pitfall tripped" in page
    assert f'href="{PAGE}?again=1"' in page
    assert f'href="/attempts/{attempt_id}"' in page
    assert "1 answer" in page


def test_a_late_answer_does_not_stand_and_a_tripped_pitfall_is_told(client, database):
    attempt_id = answered(client, tier="basics")
    find(database, attempt_id, [Finding(Kind.PITFALL, "fewer_flops", State.FLAGGED, 0, 2)])
    with database.changing() as session:
        session.get(Attempt, attempt_id).started_at -= timedelta(seconds=30)
        session.commit()
    page = client.get("/").text
    assert "in time" not in page and "▱▱▱" in page
    assert "1 pitfall tripped" in page


def test_an_open_attempt_is_offered_to_go_on_with(client):
    begin(client)
    page = client.get("/").text
    assert "You are in the middle of" in page
    assert "being answered" in page
    assert f'href="{PAGE}"' in page


def test_an_attempt_given_up_leaves_no_trace_in_the_standing(client):
    attempt_id = begin(client)
    client.post(f"/attempts/{attempt_id}/abandonment")
    assert "not answered yet" in client.get("/").text


def test_nothing_of_the_check_is_told_before_the_own_view_and_the_card_leads_to_it(
    client, database
):
    attempt_id = begin(client)
    hand_in(client, attempt_id, "The flops go down.")
    find(database, attempt_id, [Finding(Kind.PITFALL, "fewer_flops", State.FLAGGED, 4, 9)])
    before = client.get("/").text
    review(client, attempt_id)
    after = client.get("/").text
    assert "tripped" not in before
    assert f'href="{PAGE}"' in before
    assert "1 pitfall tripped" in after
    assert f'href="{PAGE}?again=1"' in after


@pytest.mark.parametrize("text", ["", "dunno"])
def test_handing_in_alone_fills_no_tier(client, text):
    answered(client, text=text, tier="deep")
    page = plain(client.get("/").text)
    assert "▱▱▱" in page and "handed in, 0 of 10 points" in page


def test_nor_does_an_answer_whose_check_was_not_shown(client):
    hand_in(client, begin(client), "It saves trips.")
    page = plain(client.get("/").text)
    assert "▱▱▱" in page and "handed in, its check not shown yet" in page


def test_what_the_learner_says_to_a_finding_counts_in_the_standing(client, database, card):
    attempt_id = covering(client, database, card, "basics")
    one = kept(database, attempt_id).findings[0].id
    client.post(f"/attempts/{attempt_id}/findings/{one}/dispute", data={"words": "not_said"})
    assert "▱▱▱" in client.get("/").text


def test_a_newcomer_is_told_what_happens_here_and_others_are_not(client):
    what = "see what the answer held"
    before = client.get("/").text
    answered(client)
    assert what in before
    assert what not in client.get("/").text
