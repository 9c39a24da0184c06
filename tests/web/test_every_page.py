"""What holds for every page: all templates are walked, and every link and form leads somewhere."""

import re
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest
from starlette.routing import Match

from app.settings import ROOT
from app.web.templating import templates
from tests.web.walk import walk

LEADING = {"href": "GET", "src": "GET", "hx-get": "GET", "hx-post": "POST", "formaction": "POST"}
DEAD_WORDS = ("correct", "well done", "great job", "undefined", "&amp;lt;")


class _Reader(HTMLParser):
    """Gathers what a page leads to, the ids in it, and what a strict policy would forbid."""

    def __init__(self) -> None:
        super().__init__()
        self.leads: set[tuple[str, str]] = set()
        self.fragments: set[str] = set()
        self.ids: list[str] = []
        self.forbidden: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if "id" in given:
            self.ids.append(given["id"])
        for name, method in LEADING.items():
            if name in given:
                self._lead(method, given[name])
        if tag == "form":
            self._lead(given.get("method", "get").upper(), given["action"])
        self.forbidden += [name for name in given if name == "style" or name.startswith("on")]
        if tag in ("script", "style") and "src" not in given:
            self.forbidden.append(tag)

    def _lead(self, method: str, address: str) -> None:
        if address.startswith("#"):
            self.fragments.add(address[1:])
        else:
            self.leads.add((method, urlsplit(address).path))


@pytest.fixture
def pages(client, database, card):
    return list(walk(client, database, card))


def read(html: str) -> _Reader:
    reader = _Reader()
    reader.feed(html)
    return reader


def test_every_template_is_used_by_some_page(client, database, card, monkeypatch):
    used: set[str] = set()
    environment = templates()
    load = environment.get_template

    def noted(name, *more, **options):
        used.add(name)
        return load(name, *more, **options)

    monkeypatch.setattr(environment, "get_template", noted)
    for _ in walk(client, database, card):
        pass
    there = {path.name for path in (ROOT / "templates").glob("*.html")}
    assert there - used == set()


def test_every_link_and_form_leads_to_a_route(app, pages):
    for name, html in pages:
        for method, path in read(html).leads:
            scope = {"type": "http", "method": method, "path": path, "headers": []}
            found = [route.matches(scope)[0] for route in app.routes]
            assert Match.FULL in found, f"{name}: {method} {path} leads nowhere"


def test_every_link_within_a_page_finds_its_place(pages):
    for name, html in pages:
        if "<html" in html:
            reader = read(html)
            assert reader.fragments <= set(reader.ids), name


def test_no_id_stands_twice_in_a_page(pages):
    for name, html in pages:
        ids = read(html).ids
        assert len(ids) == len(set(ids)), name


def test_nothing_in_a_page_needs_more_than_the_strict_policy(pages):
    for name, html in pages:
        assert read(html).forbidden == [], name


def test_every_script_carries_the_nonce_of_its_answer(client):
    answer = client.get("/")
    nonce = re.search(r"'nonce-([^']+)'", answer.headers["Content-Security-Policy"])
    assert nonce
    scripts = re.findall(r"<script[^>]*>", answer.text)
    assert scripts
    assert all(f'nonce="{nonce[1]}"' in script for script in scripts)


def test_every_page_keeps_to_the_words_of_the_house(pages):
    for name, html in pages:
        told = re.sub(r"<(script|style)[^>]*>.*?</\1>|<[^>]+>", " ", html, flags=re.DOTALL).lower()
        for word in DEAD_WORDS:
            assert word not in told, f"{name}: {word}"
        assert ">none<" not in html.lower(), name
        assert "!" not in told.replace("<!doctype html>", ""), name
