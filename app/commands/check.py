"""`ridgepoint check SLUG --jsonl FILE`: check answers without a site."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from app.domain.card import Card
from app.domain.checking.check import check as check_answer
from app.domain.checking.check import get_ready
from app.domain.checking.report import check_lines
from app.settings import Settings
from app.store.card_faults import CardFileError
from app.store.importing import read_folder
from app.trouble import Trouble


def check(arguments: argparse.Namespace) -> int:
    """Print one line of JSON for each answer; 1 where a line could not be read."""
    card = _card(arguments.slug)
    with _lines(arguments.jsonl) as lines:
        get_ready()
        return _print_all(check_lines(lines, card, check_answer))


def _print_all(results: Iterator[str]) -> int:
    unread = False
    for line in results:
        print(_encodable(line))
        unread = unread or line.startswith('{"error"')
    return 1 if unread else 0


def _encodable(line: str) -> str:
    """The JSON with half a surrogate pair, which no stream takes, as the escape that it came as."""
    return line.encode("utf-8", "backslashreplace").decode("utf-8")


def _card(slug: str) -> Card:
    try:
        cards = {card.slug: card for card in read_folder(Settings().content_dir)}
    except CardFileError as fault:
        raise Trouble(f"the cards have faults:\n{fault}") from fault
    if slug not in cards:
        raise Trouble(f"there is no card {slug!r}; there are: {', '.join(cards)}.")
    return cards[slug]


@contextmanager
def _lines(name: str) -> Iterator[TextIO]:
    """The lines of a file, or of stdin; one with bytes that are no UTF-8 is no reason to stop."""
    with nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb") as file:
        yield TextIOWrapper(file, encoding="utf-8-sig", errors="replace")
