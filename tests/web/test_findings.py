"""The check as a page shows it, and what a learner says to it."""

import re

from sqlalchemy import select

from app.domain.checking.bounded import unread
from app.domain.checking.findings import Finding, Kind, State
from app.store.models import CardRow
from tests.web.checked_answer import marked, row_of
from tests.web.practising import PAGE, answered, begin, find, hand_in, review
from tests.web.reading import plain


def test_the_very_words_are_marked_by_state(client, attempt_id):
    assert marked(client.get(PAGE).text) == {
        "flagged": "The flops go down",
        "possible": "the whole step is 3x",
        "covered": "keeps the trips to memory away",
    }


def test_a_pitfall_leads_to_the_rung_that_explains_it(client, database, attempt_id):
    page = client.get(PAGE).text
    address = f"{PAGE}?open=solid"
    assert f'href="{address}#solid"' in page
    opened = client.get(address).text
    assert '<h3 id="solid"' in opened
    assert "Explained in" in client.get(f"/attempts/{attempt_id}").text


def test_a_mark_is_told_in_words_too(client, attempt_id):
    page = client.get(PAGE).text
    for words in ("[look here 1:]", "[possible 2:]", "[covers a point:]"):
        assert words in page


def test_a_numbered_mark_leads_to_its_finding(client, database, attempt_id):
    page = client.get(PAGE).text
    for ref, number in (("fewer_flops", 1), ("whole_step_3x", 2)):
        row_id = row_of(database, attempt_id, ref).id
        assert re.search(rf'href="#finding-{row_id}"><span aria-hidden="true">\S{number}<', page)
        assert f'<article id="finding-{row_id}"' in page


def test_a_pitfall_says_why_it_costs_the_question_and_what_to_say_instead(client, attempt_id, card):
    page = client.get(PAGE).text
    pitfall = card.pitfall("fewer_flops")
    assert "You said “The flops go down”." in page
    assert pitfall.why in page
    assert pitfall.instead in page
    assert card.pitfall("faster_matmul").says not in page


def test_the_sentence_counts_what_the_length_asks_for(client, attempt_id):
    page = client.get(PAGE).text
    assert "Your answer covers 1 of the 2 points that its length asks for" in page
    assert "trips 1 pitfall; 1 more possible, you judge." in page


def test_the_page_neither_grades_nor_praises(client, attempt_id):
    page = client.get(PAGE).text.lower()
    for word in ("correct", "%", "score", "well done", "great"):
        assert word not in re.sub(r"<[^>]+>", "", page)


def test_the_own_view_is_held_against_what_the_check_found(client, database):
    attempt_id = begin(client)
    hand_in(client, attempt_id, "The flops stay, the trips go.")
    find(
        database,
        attempt_id,
        [
            Finding(Kind.KEY_POINT, "round_trips", State.COVERED, 16, 28),
            Finding(Kind.KEY_POINT, "on_chip", State.NOT_FOUND),
        ],
    )
    page = review(client, attempt_id, "round_trips", "on_chip").text
    told = " ".join(page.split())
    assert "You ticked 2 points, and the check found 1 of them. You were sure." in told


def test_a_mark_begins_and_ends_with_a_word(client, database):
    attempt_id = answered(client, "Less traffic, it stays on chip. Good.")
    find(database, attempt_id, [Finding(Kind.KEY_POINT, "on_chip", State.COVERED, 12, 31)])
    page = client.get(PAGE).text
    assert '<mark class="covered">it stays on chip</mark>.' in page
    assert "covered: “it stays on chip”" in page


def test_a_long_answer_scrolls_by_itself_and_a_usual_one_does_not(client):
    for words, long in ((200, False), (700, True)):
        attempt_id = begin(client)
        page = hand_in(client, attempt_id, "word " * words).text
        assert ("data-long" in page, 'tabindex="0"' in page) == (long, long)
        assert ("data-long" in review(client, attempt_id).text) is long


def test_an_answer_longer_than_the_check_reads_says_what_was_not_read(client):
    long = "It saves trips. " * 300  # 4,800 characters
    attempt_id = answered(client, long)
    page = client.get(f"/attempts/{attempt_id}").text
    assert f"The last {unread(long):,} were not read" in page
    usual = client.get(f"/attempts/{answered(client)}").text
    assert "were not read" not in usual


def test_how_often_the_check_is_right_is_told_of_the_card_that_it_was_measured_on(client, database):
    address = f"/attempts/{answered(client)}"
    assert "were this card's pitfalls" in plain(client.get(address).text)
    with database.changing() as session:
        row = session.scalars(select(CardRow)).one()
        row.slug, row.body = "another", row.body | {"slug": "another"}
        row.content_hash = "f" * 64  # pages are kept by it, so no other test's
        session.commit()
    page = client.get(address).text
    assert "Checked here." in page and "in 100" not in page
