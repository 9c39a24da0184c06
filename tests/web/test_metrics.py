"""The figures at /metrics are those of what happened."""

from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

BEGIN = {"slug": "fused-normalization-chain", "tier": "basics"}


def figures(client: TestClient) -> dict[tuple[str, ...], float]:
    """Every figure, by its name and its labels' values."""
    families = text_string_to_metric_families(client.get("/metrics").text)
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
    }


def test_requests_are_counted_by_the_routes_template(client: TestClient) -> None:
    for slug in ("one", "two", "three"):
        client.get(f"/api/v1/cards/{slug}")

    found = figures(client)

    counted = ("ridgepoint_requests_total", "GET", "/api/v1/cards/{slug}", "404")
    assert found[counted] == 3
    assert found["ridgepoint_request_seconds_count", "GET", "/api/v1/cards/{slug}"] == 3


def test_made_up_addresses_and_methods_add_no_series(client: TestClient) -> None:
    for number in range(5):
        client.request(f"MADE{number}", f"/made/up/{number}")

    counted = [key for key in figures(client) if key[0] == "ridgepoint_requests_total"]

    assert counted == [("ridgepoint_requests_total", "OTHER", "none", "404")]


def test_static_files_are_one_route(client: TestClient) -> None:
    client.get("/static/vendor/htmx-4.0.1.min.js")
    client.get("/static/nowhere")

    found = figures(client)

    assert found["ridgepoint_requests_total", "GET", "/static", "200"] == 1
    assert found["ridgepoint_requests_total", "GET", "/static", "404"] == 1


def test_attempts_and_checks_are_what_the_database_holds(client: TestClient) -> None:
    before = figures(client)
    client.post("/api/v1/attempts", json=BEGIN | {"answer": "The arithmetic is the same."})
    client.post("/api/v1/attempts", json=BEGIN)
    after = figures(client)

    assert before["ridgepoint_attempts", "handed_in"] == 0
    assert after["ridgepoint_attempts", "handed_in"] == 1
    assert after["ridgepoint_attempts", "open"] == 1
    assert after["ridgepoint_checks", "done"] == 1
    assert after["ridgepoint_checks", "waiting"] == 0
    assert after["ridgepoint_runs", "waiting"] == 0


def test_each_application_has_figures_of_its_own(client: TestClient) -> None:
    assert not any(key[0] == "ridgepoint_requests_total" for key in figures(client))
