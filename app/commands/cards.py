"""`ridgepoint cards check` and `ridgepoint cards import`."""

import argparse
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from app.commands.database import migrated_database
from app.domain.card import Card
from app.domain.checking.check import check
from app.settings import Settings
from app.store.card_faults import CardFileError, Fault
from app.store.card_lint import lint_folder
from app.store.importing import import_cards, read_folder
from app.trouble import Trouble
from app.web.words import several


def check_cards(arguments: argparse.Namespace) -> int:
    """Print how many cards are fine, or every fault as `file:line: message`.

    The files first; then what the checker makes of each card's own words.
    """
    folder = _folder(arguments)
    cards = _read(folder)
    if faults := lint_folder(folder, check):
        raise _faulty(faults)
    print(f"{several(len(cards), 'card')}, no fault found.")
    return 0


def import_cards_command(arguments: argparse.Namespace) -> int:
    """Import the folder in one transaction and say what changed."""
    cards = _read(_folder(arguments))
    database = migrated_database(Settings())
    with database.changing() as session:
        done = import_cards(session, cards, datetime.now(UTC))
        session.commit()
    database.dispose()
    for what in ("added", "changed", "unchanged", "retired"):
        print(f"{what}: {', '.join(getattr(done, what)) or 'none'}")
    return 0


def _folder(arguments: argparse.Namespace) -> Path:
    return Path(arguments.folder) if arguments.folder else Settings().content_dir


def _read(folder: Path) -> list[Card]:
    try:
        return read_folder(folder)
    except CardFileError as fault:
        raise _faulty(fault.faults) from fault


def _faulty(faults: Sequence[Fault]) -> Trouble:
    return Trouble("\n".join([f"{several(len(faults), 'fault')} in the cards:", *map(str, faults)]))
