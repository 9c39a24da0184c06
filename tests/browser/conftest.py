"""A real server on a port of its own, and Chromium in front of it."""

import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
import uvicorn
from fastapi import FastAPI
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from app.domain.card import Card
from tests.conftest import require_component

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
CHROMIUM_HINT = "no Chromium to test in: install it (Debian: apt-get install chromium)"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE_MS = 20_000  # a sound page needs a fraction of it; a busy machine, more than one thinks
expect.set_options(timeout=PATIENCE_MS)
# What is told of an error that a test provokes, by the browser and by htmx: no fault of a script.
PROVOKED = ("Failed to load resource", "htmx: htmx:error: Failed to fetch")

Open = Callable[..., Page]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder needs a browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture
def database_url(sqlite_template: Path, tmp_path: Path) -> str:
    """One database is enough here: the other is met by the tests of the routes."""
    shutil.copyfile(sqlite_template, tmp_path / "ridgepoint.db")
    return f"sqlite:///{tmp_path / 'ridgepoint.db'}"


@pytest.fixture
def site(app: FastAPI, card: Card) -> Iterator[str]:
    """The address at which the application is served, its checker ready as `serve` has it."""
    app.state.checks.get_ready(card)
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        server = uvicorn.Server(
            uvicorn.Config(app, log_config=None, access_log=False, lifespan="on")
        )
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium for the tests of a file; each page gets a context of its own.

    Not for the session: while Playwright is open, its event loop runs in this
    thread, and a later test's `asyncio.run` is refused.
    """
    require_component(CHROMIUM, CHROMIUM_HINT)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def opened(browser: Browser, site: str) -> Iterator[Open]:
    """Opens pages in a new context; at the end no script may have complained about anything."""
    contexts, complaints = [], []

    def open_page(path: str = "/", *, width: int = 1280, **options: object) -> Page:
        size = {"width": width, "height": 800}
        context = browser.new_context(base_url=site, viewport=size, **options)
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        return look_at(context.new_page(), path, complaints)

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def look_at(page: Page, path: str, complaints: list[str]) -> Page:
    """Go to `path` in a new page, and note what its scripts and its policy complain about."""
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda told: complaints.append(told.text) if _is_fault(told) else None)
    page.goto(path)
    return page


def _is_fault(told: ConsoleMessage) -> bool:
    return told.type == "error" and not told.text.startswith(PROVOKED)
