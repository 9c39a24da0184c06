"""After the check: one next step, where each missing point is read, and what the check is worth."""

import re

from starlette.testclient import TestClient

from app.domain.card import Card
from app.domain.checking.findings import Finding, Kind, State
from app.settings import ROOT
from app.store.engine import Database
from tests.web import checked_answer
from tests.web.practising import PAGE, answered, begin, find
from tests.web.reading import plain


def test_the_next_step_is_what_explains_the_first_pitfall(client: TestClient, attempt_id: int):
    page = client.get(PAGE).text
    assert re.search(rf'class="button" href="{PAGE}\?open=solid#solid"[^>]*>Next: Solid', page)
    assert page.count('class="button"') == 1


def test_without_one_it_is_what_tells_the_first_missing_point(
    client: TestClient, database: Database, attempt_id: int
):
    find(database, attempt_id, checked_answer.FOUND[:2])
    assert "Next: Basics" in client.get(PAGE).text


def test_and_a_follow_up_once_nothing_is_missing(
    client: TestClient, database: Database, card: Card
):
    attempt_id = answered(client, checked_answer.ANSWER, "basics")
    asks = card.tier("basics").asks
    whole = [Finding(Kind.KEY_POINT, ref, State.COVERED, 0, 3) for ref in asks]
    find(database, attempt_id, whole)
    assert "Next: Follow-up 1 of" in client.get(PAGE).text


def test_each_missing_point_leads_to_where_it_is_read(client: TestClient, attempt_id: int):
    page = client.get(PAGE).text
    [missing] = re.findall(
        r'<li id="finding-\d+" class="finding" tabindex="-1">.*?○.*?</li>', page, re.S
    )
    assert f'href="{PAGE}?open=basics#basics" hx-get' in missing and "Read it: Basics" in missing
    assert page.count("Read it:") == 1
    record = client.get(f"/attempts/{attempt_id}").text
    assert f'<a href="{PAGE}?open=basics#basics">Read it: Basics</a>' in re.sub(" +", " ", record)


def test_the_page_says_how_far_to_trust_the_check_by_the_readmes_figures(
    client: TestClient, attempt_id: int
):
    readme = " ".join((ROOT / "README.md").read_text().split())
    figures = r"On (\d+) answers.*?, (\d+){0} of what it flag.*? it flag\w+ (\d+){0} of them"
    told = re.search(figures.format(" in 100"), plain(client.get(PAGE).text))
    wanted = re.search(figures.format(" %"), readme)
    assert told and wanted and told.groups() == wanted.groups()


def test_while_the_clock_runs_the_ladder_is_folded_away(client: TestClient):
    begin(client)
    ladder = client.get(PAGE).text.partition('id="ladder"')[2]
    before, _, _ = ladder.partition('class="rungs"')
    assert "<details>" in before and "which stops the clock" in before
    opened = client.get(f"{PAGE}?open=basics").text.partition('id="ladder"')[2]
    assert "which stops the clock" not in opened


def test_an_open_rung_can_be_folded(client: TestClient):
    page = client.get(f"{PAGE}?open=basics").text
    assert re.search(r'<details open>\s*<summary><h3 id="basics"', page)


def test_what_was_steered_clear_of_stands_folded_after_the_points(
    client: TestClient, database: Database, attempt_id: int
):
    words = checked_answer.finding(
        Kind.PITFALL, "faster_matmul", State.REJECTED, "It keeps the trips"
    )
    find(database, attempt_id, [*checked_answer.FOUND[:4], words])
    page = client.get(PAGE).text
    assert "<summary>Steered clear of: 1 pitfall</summary>" in page
    assert page.index("What this length asks for") < page.index("Steered clear of")


def test_the_answer_box_says_how_to_speak_and_in_which_language(client: TestClient):
    begin(client)
    told = plain(client.get(PAGE).text)
    assert "dictation, which writes into the box" in told and "The check reads English." in told
