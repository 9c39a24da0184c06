"""How long a browser may keep a static file."""

from starlette.testclient import TestClient

from app.web.static import address, version

FILE = "vendor/htmx-4.0.1.min.js"


def test_an_address_with_the_files_version_is_kept_for_a_year(client: TestClient) -> None:
    answer = client.get(address(FILE))

    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"


def test_any_other_address_is_asked_again_and_costs_no_bytes(client: TestClient) -> None:
    for query in ("", "?v=", "?v=000000000000", f"?v={version(FILE)}&v=1"):
        first = client.get(f"/static/{FILE}{query}")
        again = client.get(
            f"/static/{FILE}{query}", headers={"If-None-Match": first.headers["ETag"]}
        )
        assert first.headers["Cache-Control"] == "public, no-cache", query
        assert (again.status_code, again.content) == (304, b"")


def test_nothing_outside_the_folder_is_served(client: TestClient) -> None:
    for path in ("../app/main.py", "%2e%2e/app/main.py", "..%2fpyproject.toml", "/etc/passwd", ""):
        assert client.get(f"/static/{path}").status_code == 404, path
