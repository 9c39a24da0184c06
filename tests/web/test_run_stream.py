"""The stream of a run's events, as a browser reads it."""

from starlette.testclient import TestClient


def events_of(client: TestClient, address: str, **headers: str) -> list[dict[str, str]]:
    """The stream's events as a browser reads them, up to its end."""
    events = []
    text = client.get(f"{address}/events", headers=headers).text
    for block in text.split("\n\n"):
        event: dict[str, str] = {}
        for line in block.splitlines():
            name, _, value = line.partition(": ")
            event[name] = f"{event[name]}\n{value}" if name in event else value
        events.append(event)
    return [event for event in events if event and "" not in event]


def test_the_stream_of_an_ended_run_shows_it_once_and_ends(client: TestClient, recording: str):
    shown, end = events_of(client, f"/runs/{recording}")
    assert "One pass is 2.20× faster" in shown["data"]
    assert end["event"] == "ended"


def test_the_stream_and_the_page_show_the_same(client: TestClient, recording: str):
    page = client.get(f"/runs/{recording}").text
    part = events_of(client, f"/runs/{recording}")[0]["data"]
    squeezed = " ".join(part.split())
    assert squeezed in " ".join(page.split())


def test_a_listener_who_comes_back_is_not_shown_the_same_again(client: TestClient, recording: str):
    version = events_of(client, f"/runs/{recording}")[0]["id"]
    again = events_of(client, f"/runs/{recording}", **{"Last-Event-ID": version})
    assert [event.get("event") for event in again] == ["ended"]


def test_a_run_that_there_is_not_has_no_page_and_no_stream(client: TestClient):
    assert client.get("/runs/nothing").status_code == 404
    assert client.get("/runs/nothing/events").status_code == 404
