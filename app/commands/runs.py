"""`ridgepoint runs show` and `runs import`: receipts of runs, with a site and without one."""

import argparse
from datetime import UTC, datetime
from pathlib import Path

from app.commands.database import migrated_database
from app.commands.files import write_whole
from app.commands.receipt_text import lines, plain
from app.runs.foreign import Imported, import_receipt
from app.runs.receipt_reading import read_file
from app.runs.receipts import Receipt
from app.settings import Settings
from app.trouble import Trouble
from app.web.receipt import page_of


def show(arguments: argparse.Namespace) -> int:
    """Print what a receipt says, or put it into the page that `--html` names."""
    receipt = _read(arguments.file)
    if arguments.html is None:
        print(*lines(receipt), sep="\n")
        return 0
    out = Path(arguments.html)
    write_whole(out, page_of(receipt, datetime.now(UTC)))
    print(plain(f"{out} shows the run; it needs no server."))
    return 0


def bring_in(arguments: argparse.Namespace) -> int:
    """Keep the receipts' runs, all or none, and say where each is to be seen."""
    receipts = [_read(name) for name in arguments.files]
    database = migrated_database(Settings())
    now = datetime.now(UTC)
    with database.changing() as session:
        done = [import_receipt(session, receipt, now) for receipt in receipts]
        session.commit()
    database.dispose()
    for name, imported in zip(arguments.files, done, strict=True):
        print(_said(plain(name), imported))
    return 0


def _said(name: str, imported: Imported) -> str:
    how = "imported" if imported.new else "was here already"
    return f"{name}: {how}, at /runs/{imported.run_id}"


def _read(name: str) -> Receipt:
    """The receipt; what its file holds reaches a terminal only as text."""
    try:
        return read_file(Path(name))
    except Trouble as trouble:
        raise Trouble(plain(str(trouble))) from trouble
