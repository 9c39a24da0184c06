"""The ledger's page without JavaScript: its blanks, what it says of them, what it forgets."""

import re

import pytest
from starlette.testclient import TestClient

from app.domain.ledger_quiz import quiz

ADDRESS = "/experiments/chain/ledger"


def truth(direction: str, how_many: str = "some") -> dict[str, str]:
    return {cell.id: f"{cell.truth:.3g}" for cell in quiz(direction, how_many).blanks}


def named(html: str) -> set[str]:
    return set(re.findall(r'<input[^>]* name="([^"]+)"', html))


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("how_many", ["some", "all"])
def test_the_page_has_a_field_for_each_blank_and_gives_none_away(client, direction, how_many):
    page = client.get(f"{ADDRESS}?direction={direction}&blanks={how_many}").text
    blanks = quiz(direction, how_many).blanks
    assert named(page) == {cell.id for cell in blanks}
    assert "miscounts" not in page
    assert not re.search(r'<input[^>]* value="[^"]', page)


def test_a_ledger_that_holds_leads_to_the_measurement(client: TestClient):
    page = client.post(ADDRESS, data=truth("forward")).text
    assert "The whole ledger holds." in page
    assert 'href="/experiments/chain">Measure it' in page
    assert "2.33× faster where memory sets the time" in page


def test_a_miscount_is_said_beside_its_cell_and_what_was_typed_stands(client: TestClient):
    page = client.post(ADDRESS, data=truth("forward") | {"separate.2.reads": "1"}).text
    assert "Look again at what add reads; the rest holds." in page
    assert "You said 1\N{NO-BREAK SPACE}B; it reads 2\N{NO-BREAK SPACE}B: g and residual." in page
    field = re.search(r'<input id="cell-separate-2-reads"[^>]*>', page)
    assert field and 'value="1"' in field[0]
    described = re.search(r'aria-describedby="([^"]+)"', field[0])
    assert described and f'id="{described[1]}"' in page


def test_what_was_typed_is_shown_as_typed(client: TestClient):
    page = client.post(ADDRESS, data={"ratio": '"><script>'}).text
    assert "<script>" not in page.split("<main")[1]
    assert "&#34;&gt;&lt;script&gt;" in page


def test_the_way_and_the_blanks_stay_as_chosen_when_checked(client: TestClient):
    address = f"{ADDRESS}?direction=backward&blanks=all"
    page = client.post(address, data=truth("backward", "all")).text
    assert "The whole ledger holds." in page
    assert f'action="{address.replace("&", "&amp;")}"' in page


def test_nothing_is_kept(client: TestClient):
    client.post(ADDRESS, data={"separate.total": "5"})
    assert 'value="5"' not in client.get(ADDRESS).text
    assert "ridgepoint" not in client.cookies


def test_htmx_is_given_the_part_alone(client: TestClient):
    headers = {"HX-Request": "true", "HX-Request-Type": "partial"}
    part = client.post(ADDRESS, data=truth("forward"), headers=headers).text
    assert part.lstrip().startswith("<section") and "<html" not in part


@pytest.mark.parametrize("query", ["direction=sideways", "blanks=none"])
def test_a_way_that_there_is_not_is_refused_in_a_sentence(client: TestClient, query: str):
    answer = client.get(f"{ADDRESS}?{query}")
    assert answer.status_code == 422
    assert "<main" in answer.text


def test_a_body_that_is_no_form_is_an_empty_one(client: TestClient):
    answer = client.post(ADDRESS, content=b"{}", headers={"Content-Type": "application/json"})
    assert answer.status_code == 200
    assert "Nothing is filled in yet." in answer.text
