"""A card's page: reading it, beginning an attempt, opening the ladder."""

import re
from datetime import timedelta
from html import unescape

from app.domain import ladder
from app.store.models import Attempt, Learner, Reveal
from tests.web.practising import AS_HTMX, PAGE, another_browser, begin, count, hand_in, kept


def test_the_page_shows_the_question_and_asks_how_long_one_has(client, card):
    page = client.get(PAGE)
    assert page.status_code == 200
    assert card.prompt.html in page.text
    for words in ("20 s", "50 s", "3 min"):
        assert words in page.text


def test_nothing_of_the_answer_stands_on_the_page_before_it_is_opened(client, card):
    page = client.get(PAGE).text
    for tier in card.tiers:
        assert tier.answer is None or tier.answer.html not in page
    for hidden in (*card.five_lines, *(pitfall.says for pitfall in card.pitfalls)):
        assert hidden not in unescape(page)
    for follow_up in card.follow_ups:
        assert follow_up.answer.html not in page


def test_an_unknown_question_is_told_in_a_sentence(client):
    page = client.get("/questions/no-such-question")
    assert page.status_code == 404
    assert "There is no such question" in page.text


def test_an_unknown_part_is_told_in_a_sentence(client):
    page = client.get(f"{PAGE}?open=nonsense")
    assert page.status_code == 404
    assert "no part &#39;nonsense&#39; to open" in page.text


def test_reading_makes_nobody_a_learner(client, database):
    client.get(f"{PAGE}?open=basics")
    assert count(database, Learner) == 0
    assert count(database, Reveal) == 0


def test_every_rung_opens_by_its_link_and_stays_open_with_the_next(client, card):
    address = PAGE
    for rung in ladder.rungs(card):
        page = client.get(address).text
        link = re.search(rf'href="([^"]+)#{rung.id}"', page)
        assert link, f"no link opens {rung.id}"
        address = link[1].replace("&amp;", "&")
    page = client.get(address).text
    assert card.tier("solid").answer.html in page
    assert all(line in unescape(page) for line in card.five_lines)
    assert len(re.findall(r'class="rung opened"', page)) == len(ladder.rungs(card))


def test_htmx_gets_the_part_and_a_browser_the_page_from_the_same_address(client):
    part, page = client.get(PAGE, headers=AS_HTMX), client.get(PAGE)
    assert "<html" in page.text
    assert "<html" not in part.text
    assert part.text.strip() in page.text
    assert "HX-Request-Type" in page.headers["Vary"]


def test_beginning_goes_back_to_the_page_which_then_asks_for_the_answer(client):
    answer = client.post(f"{PAGE}/attempts", data={"tier": "basics"}, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["Location"] == f"{PAGE}#answer"
    page = client.get(PAGE).text
    assert 'name="text"' in page
    assert 'data-target="20"' in page


def test_a_length_that_the_card_has_not_got_is_refused(client, database):
    answer = client.post(f"{PAGE}/attempts", data={"tier": "endless"})
    assert answer.status_code == 422
    assert "There is no length" in answer.text
    assert count(database, Attempt) == 0


def test_a_second_tab_joins_the_open_attempt_with_its_tier_and_its_clock(client, database):
    first = begin(client, "solid")
    begun = kept(database, first).started_at
    assert begin(client, "basics") == first
    assert count(database, Attempt) == 1
    assert kept(database, first).started_at == begun
    assert kept(database, first).tier == "solid"


def test_a_reload_goes_on_from_the_clock_on_the_server(client, database):
    attempt_id = begin(client)
    with database.changing() as session:
        attempt = session.get(Attempt, attempt_id)
        attempt.started_at -= timedelta(seconds=60)
        session.commit()
    page = client.get(PAGE).text
    elapsed = float(re.search(r'data-elapsed="([\d.]+)"', page)[1])
    assert 60 <= elapsed < 120
    assert 'data-tone="over"' in page
    assert "data-running" in page


def test_an_answer_handed_in_is_put_aside_on_request_but_an_open_one_is_not(client):
    attempt_id = begin(client)
    assert f"/attempts/{attempt_id}/answer" in client.get(f"{PAGE}?again=1").text
    hand_in(client, attempt_id, "Trips.")
    assert "Your own view first" in client.get(PAGE).text
    page = client.get(f"{PAGE}?again=1").text
    assert "How long have you got?" in page
    assert f'href="/attempts/{attempt_id}"' in page


def test_two_learners_see_nothing_of_each_other(app, client):
    begin(client)
    assert "How long have you got?" in another_browser(app, client).get(PAGE).text
