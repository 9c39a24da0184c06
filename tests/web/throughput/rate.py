"""Requests/s at full load, by wrk: a fixed number of connections, each asking again at once."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from statistics import median

from tests.web.throughput.sides import Side

CONNECTIONS = 16
MISSING = "wrk isn't installed: `apt-get install wrk` on Debian, `brew install wrk` on a Mac."


class NoWrk(Exception):
    """wrk can't be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Round:
    """Requests/s of a side and, in the same few seconds, of the bare route."""

    bare: float
    side: float

    @property
    def ratio(self) -> float:
        """What the side reaches of the bare route."""
        return self.side / self.bare


def interleaved(bare: Side, side: Side, rounds: int, seconds: int) -> list[Round]:
    """Load both in turns, so that what else the machine does befalls both."""
    load(bare, 1)
    load(side, 1)
    return [Round(load(bare, seconds), load(side, seconds)) for _ in range(rounds)]


def load(side: Side, seconds: int) -> float:
    """Requests/s; NoWrk where an answer was not 200 or wrk is missing."""
    program = shutil.which("wrk")
    if program is None:
        raise NoWrk(MISSING)
    headers = [f"-H{name}: {value}" for name, value in side.headers.items()]
    command = [program, "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", *headers, side.url]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if fault := re.search(r"Non-2xx.*|Socket errors.*", told):
        raise NoWrk(f"{side.name}: {fault[0].strip()}")
    found = re.search(r"Requests/sec:\s*([\d.]+)", told)
    assert found is not None, told
    return float(found[1])


def middle(rounds: list[Round]) -> Round:
    """The round of median ratio."""
    ratio = median(one.ratio for one in rounds)
    return min(rounds, key=lambda one: abs(one.ratio - ratio))
