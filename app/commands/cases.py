"""`ridgepoint cases export`: what learners disputed, as labelled lines."""

import argparse
from pathlib import Path

from app.commands.database import migrated_database
from app.commands.files import write_whole
from app.domain.cases import case_lines
from app.settings import Settings
from app.store import cases
from app.web.words import several


def export(arguments: argparse.Namespace) -> int:
    """Print a line for each disputed check, or put the lines into the file that `--out` names."""
    database = migrated_database(Settings())
    with database.reading() as session:
        lines = case_lines(cases.disputed(session))
    database.dispose()
    if arguments.out is None:
        print(*lines, sep="\n", end="\n" if lines else "")
        return 0
    write_whole(Path(arguments.out), "".join(f"{line}\n" for line in lines))
    print(f"{several(len(lines), 'disputed check')} in {arguments.out}.")
    return 0
