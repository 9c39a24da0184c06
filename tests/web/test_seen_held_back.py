"""What would give a result away is held back until one has answered, tried or asked."""

import pytest
from starlette.testclient import TestClient

from app.domain.running import RunSource
from app.store.engine import Database
from tests.web.lab_runs import keep
from tests.web.practising import PAGE, begin
from tests.web.reading import plain
from tests.web.seeing import LATE, RUN, guess_it, guesses


def test_a_run_to_be_told_apart_is_not_seen_before_it_is_answered(
    client: TestClient, database: Database
):
    keep(database, "broken")
    run = "/runs/test-device-broken-recorded"
    client.get("/runs"), client.get(run)
    client.post(f"{run}/matches", data={"A": "no_synchronize"})
    assert LATE not in guesses(client)


def test_nor_by_following_it_to_its_end(client: TestClient, database: Database):
    begin(client)
    keep(database, "broken")
    run = "/runs/test-device-broken-recorded"
    client.get(f"{run}/events")
    client.post(f"{run}/matches", data={"A": "no_synchronize"})
    assert LATE not in guesses(client)


def test_one_that_was_answered_gives_the_next_away(client: TestClient, database: Database):
    keep(database, "broken")
    keep(database, "broken", source=RunSource.IMPORTED)
    client.post("/runs/test-device-broken-recorded/matches", data={"show": "1"})
    client.post("/runs/test-device-broken-imported/matches", data={"A": "no_synchronize"})
    assert LATE in guesses(client)
    assert "after you had seen" in plain(client.get("/runs/test-device-broken-imported").text)


def test_the_index_keeps_a_recorded_figure_back_until_it_was_seen(
    client: TestClient, width_recorded: None
):
    index = plain(client.get("/experiments").text)
    assert "costs 1.80× as much" not in index
    assert "Say what you expect : How long a row one pass can hold , then see it" in index
    client.get(RUN)
    assert "costs 1.80× as much" in plain(client.get("/experiments").text)


@pytest.mark.parametrize("address", [f"{PAGE}?open=claims", f"{PAGE}?open=explanation", "/runs"])
def test_so_do_the_card_and_the_list_of_runs(
    client: TestClient, width_recorded: None, address: str
):
    page = client.get(address)
    assert "costs 1.80× as much" not in plain(page.text)
    assert "Say what you expect" in page.text and f'href="{RUN}"' in page.text
    client.get(RUN)
    assert "costs 1.80× as much" in plain(client.get(address).text)


def test_the_list_of_runs_shows_all_to_whoever_asks(client: TestClient, width_recorded: None):
    assert 'href="/runs?show=1"' in client.get("/runs").text
    assert "costs 1.80× as much" in plain(client.get("/runs?show=1").text)
    assert "costs 1.80× as much" in plain(client.get("/runs").text)


def test_of_the_recorded_table_each_figure_is_kept_back(client: TestClient, recording: str):
    held = client.get("/runs").text
    assert f'href="/runs/{recording}">show' in held and "2.20×" not in held
    assert f'href="/runs/{recording}">2.20×' in client.get("/runs?show=1").text


def test_a_follow_up_gives_nothing_away_before_it_is_tried(
    client: TestClient, width_recorded: None
):
    begin(client)
    client.get(f"{PAGE}?open=follow-up-length")
    guess_it(client)
    assert LATE not in guesses(client)


def test_nor_does_one_that_was_tried(client: TestClient, width_recorded: None):
    tried = plain(client.post(f"{PAGE}/follow-ups/length/tries", data={"aloud": "1"}).text)
    assert "Say what you expect" in tried and "costs 1.80× as much" not in tried
    guess_it(client)
    assert LATE not in guesses(client)
