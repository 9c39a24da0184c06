"""`make bench-web`: requests/s of a card's page over those of a bare route, and p99 under load.

Both servers are one uvicorn process each, on this machine, loaded in turns by
wrk; the ratio is the median over the rounds. Then the page alone is asked at
two thirds of its own rate, evenly, three times, of which the middle one counts.
Prints what it measured; the exit status is 1 where a bar was missed.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.web.throughput.pace import Pace, paced
from tests.web.throughput.rate import CONNECTIONS, NoWrk, Round, interleaved, middle
from tests.web.throughput.sides import Side, ask, bare_server, learner_side, page_server

LEAST_RATIO = 0.25
MOST_SPREAD = 5.0
PACED_SECONDS = 5


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
        paces = [paced(page, visitor.side * 2 / 3, PACED_SECONDS) for _ in range(3)]
    pace = sorted(paces, key=lambda one: one.spread)[1]
    _print_pace(pace)
    met = visitor.ratio >= LEAST_RATIO and pace.spread < MOST_SPREAD
    print("Both bars are met." if met else "A bar was missed.")
    return 0 if met else 1


def _compared(bare: Side, side: Side, rounds: int, seconds: int) -> Round:
    found = interleaved(bare, side, rounds, seconds)
    typical = middle(found)
    spread = " ".join(f"{one.ratio:.3f}" for one in found)
    print(f"\n{side.name}: {typical.side:,.0f} requests/s; {bare.name}: {typical.bare:,.0f}")
    print(f"  ratio {typical.ratio:.3f} (bar for the page: {LEAST_RATIO}); rounds: {spread}")
    return typical


def _print_pace(pace: Pace) -> None:
    print(f"\nat an even {pace.rate:,.0f} requests/s, two thirds of its rate ({pace.sent:,} sent):")
    print(f"  median {pace.median_ms:.2f} ms, p99 {pace.p99_ms:.2f} ms")
    print(f"  p99 is {pace.spread:.1f} × the median (bar: under {MOST_SPREAD:.0f} ×)")
    print(f"  (the client itself was late by {pace.late_p99_ms:.2f} ms at its p99)")
    if pace.late_p99_ms > pace.median_ms:
        print("  This machine is busy with other things, which shows in it: measure when it rests.")


if __name__ == "__main__":
    sys.exit(main())
