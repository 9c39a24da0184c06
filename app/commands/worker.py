"""`ridgepoint worker`: run the benchmarks that were asked for."""

import argparse

from sqlalchemy.exc import OperationalError

from app.commands.database import why
from app.runs.worker import work
from app.settings import Settings
from app.trouble import Trouble


def worker(_arguments: argparse.Namespace) -> int:
    """Work until told to stop; Trouble where there is no database to begin with."""
    try:
        return work(Settings())
    except OperationalError as fault:
        raise Trouble(
            f"the worker's database can't be used ({why(fault)}): see RIDGEPOINT_DATABASE_URL."
        ) from fault
