"""`ridgepoint check SLUG --jsonl FILE`: check answers without a site."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from app.domain.card import Card
from app.domain.checking.check import check as check_answer
from app.domain.checking.report import check_lines
from app.settings import Settings
from app.store.card_faults import CardFileError
from app.store.importing import read_folder
from app.trouble import Trouble


def check(arguments: argparse.Namespace) -> int:
    """Print one line of JSON for each answer; 1 where a line could not be read."""
    card = _card(arguments.slug)
    with _lines(arguments.jsonl) as lines:
        return _print_all(check_lines(lines, card, check_answer))


def _print_all(results: Iterator[str]) -> int:
    unread = False
    for line in results:
        print(line)
        unread = unread or line.startswith('{"error"')
    return 1 if unread else 0


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
    if name == "-":
        yield sys.stdin
        return
    with Path(name).open(encoding="utf-8") as file:
        yield file
