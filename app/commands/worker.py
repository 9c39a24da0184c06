"""`ridgepoint worker`: run the benchmarks that were asked for."""

import argparse

from app.runs.worker import work
from app.settings import Settings


def worker(_arguments: argparse.Namespace) -> int:
    """Work until told to stop."""
    return work(Settings())
