"""`make bench-web`: requests/s of a card's page over those of a bare route, and p99 under load.

Both servers are one uvicorn process each, on this machine, loaded in turns by
wrk; the ratio is the median over the rounds. Then each is asked evenly, at two
thirds of its own rate, in turns as well, three times, of which the middle one counts.
Prints what it measured and what follows; the exit status is 1 where a bar was
missed, 3 where the machine was too busy for a verdict.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.web.throughput import verdict
from tests.web.throughput.pace import Pace, paced
from tests.web.throughput.rate import CONNECTIONS, NoWrk, Round, interleaved, middle
from tests.web.throughput.sides import Side, ask, bare_server, learner_side, page_server

PACED_SECONDS = 5
PACED_TIMES = 3


def main() -> int:
    """Measure, print, and say whether both bars were met."""
    parser = argparse.ArgumentParser(prog="make bench-web", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="times each side is loaded")
    parser.add_argument("--seconds", type=int, default=3, help="length of one load")
    chosen = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory() as folder:
            return _measure(Path(folder), chosen.rounds, chosen.seconds)
    except NoWrk as missing:
        print(f"bench-web: {missing}", file=sys.stderr)
        return 2


def _measure(folder: Path, rounds: int, seconds: int) -> int:
    with page_server(folder) as page:
        body = ask(page)[1]
        with bare_server(folder, body) as bare:
            print(f"{len(body):,} bytes, {CONNECTIONS} connections, {rounds} rounds of {seconds} s")
            visitor = _compared(bare, page, rounds, seconds)
            _compared(bare, learner_side(page), rounds, seconds)
            typical = middle(visitor)
            paces = _evenly((page, typical.side * 2 / 3), (bare, typical.bare * 2 / 3))
    _print_paces(*paces)
    said = verdict.verdicts(visitor, *paces)
    print("", *(one.words for one in said), sep="\n")
    return verdict.together(said)


def _compared(bare: Side, side: Side, rounds: int, seconds: int) -> list[Round]:
    found = interleaved(bare, side, rounds, seconds)
    typical = middle(found)
    spread = " ".join(f"{one.ratio:.3f}" for one in found)
    print(f"\n{side.name}: {typical.side:,.0f} requests/s; {bare.name}: {typical.bare:,.0f}")
    print(f"  ratio {typical.ratio:.3f}; rounds: {spread}")
    return found


def _evenly(*loads: tuple[Side, float]) -> list[Pace]:
    """Each side at its rate, in turns, some times; of these the middle one."""
    found = [[paced(side, rate, PACED_SECONDS) for side, rate in loads] for _ in range(PACED_TIMES)]
    by_spread = (sorted(one, key=lambda pace: pace.spread) for one in zip(*found, strict=True))
    return [one[PACED_TIMES // 2] for one in by_spread]


def _print_paces(page: Pace, bare: Pace) -> None:
    print("\nasked evenly, at two thirds of its rate:")
    for name, pace in (("the card's page", page), ("a bare route", bare)):
        print(
            f"  {name}: {pace.answered:,.0f} of {pace.rate:,.0f} requests/s, "
            f"median {pace.median_ms:.2f} ms, p99 {pace.p99_ms:.2f} ms, {pace.spread:.1f} × "
            f"(client late by {pace.late_p99_ms:.2f} ms at its p99)"
        )
    print(f"  the page's p99 over its median is {page.spread / bare.spread:.2f} × the bare route's")


if __name__ == "__main__":
    sys.exit(main())
