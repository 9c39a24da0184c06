"""What the figures allow to be said of each bar: met, missed, or nothing.

Client and servers share one machine. Where something else than the page set a figure, the
figure is printed and no verdict is given on it: a busy machine makes a median long as well
as a p99, so that p99 over median can look fine and mean nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from tests.web.throughput.pace import Pace
from tests.web.throughput.rate import Round, middle

LEAST_RATIO = 0.25
MOST_SPREAD = 5.0
LEAST_ANSWERED = 0.9
"""Of what was asked: who falls further behind has a queue, and its length makes the latencies."""

MOST_LATE = 0.5
"""Of the page's median: a client so late at its p99 moves p99 ÷ median by a tenth of the bar."""


class Status(IntEnum):
    """The exit status of a run; the worst of its verdicts'."""

    MET = 0
    MISSED = 1
    NONE = 3  # 2 says that nothing could be measured


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is said of one bar, in a sentence with its figure."""

    status: Status
    words: str


def verdicts(rounds: Sequence[Round], page: Pace, bare: Pace) -> list[Verdict]:
    """On the ratio and on p99; none on p99 where the machine set its figures.

    Both paces are at two thirds of what the side itself can do. The ratio has sides that
    take turns, so what the machine does to it shows in how far its rounds lie apart.
    """
    why = _the_machine(page, bare)
    return [_on_ratio(rounds), _none("p99", why) if why else _on_spread(page)]


def _the_machine(page: Pace, bare: Pace) -> str:
    """What shows that something else than the page set p99; empty where nothing does."""
    if page.late_p99_ms > MOST_LATE * page.median_ms:
        late = f"the client itself was late by {page.late_p99_ms:.2f} ms at its p99"
        return f"{late}, more than half the page's median of {page.median_ms:.2f} ms"
    if not _kept_up(bare):
        return f"asked at two thirds of its own rate, the bare route fell behind: {_told(bare)}"
    if bare.spread >= MOST_SPREAD:
        return (
            f"p99 of the bare route, at the same relative load, is {bare.spread:.1f} × its median"
        )
    return ""


def _on_ratio(rounds: Sequence[Round]) -> Verdict:
    """Whether the page reaches enough of the bare route; one stray round each way is let pass."""
    ratio = middle(rounds).ratio
    ratios = sorted(one.ratio for one in rounds)
    usual = ratios[1:-1] if len(ratios) > 2 else ratios
    if usual[0] < LEAST_RATIO <= usual[-1]:
        span = f"from {usual[0]:.3f} to {usual[-1]:.3f}"
        return _none("the ratio", f"its rounds go {span}, to both sides of {LEAST_RATIO}")
    if ratio < LEAST_RATIO:
        return Verdict(Status.MISSED, f"The ratio is missed: {ratio:.3f}, under {LEAST_RATIO}.")
    return Verdict(Status.MET, f"The ratio is met: {ratio:.3f}, at least {LEAST_RATIO}.")


def _on_spread(page: Pace) -> Verdict:
    if not _kept_up(page):
        return Verdict(Status.MISSED, f"p99 is missed: the page fell behind, {_told(page)}.")
    bar = f"under {MOST_SPREAD:g} ×"
    if page.spread >= MOST_SPREAD:
        return Verdict(Status.MISSED, f"p99 is missed: {page.spread:.1f} × the median, not {bar}.")
    return Verdict(Status.MET, f"p99 is met: {page.spread:.1f} × the median, {bar}.")


def _kept_up(pace: Pace) -> bool:
    return pace.answered >= LEAST_ANSWERED * pace.rate


def _told(pace: Pace) -> str:
    return f"{pace.answered:,.0f} of {pace.rate:,.0f} requests/s were answered"


def together(verdicts: Sequence[Verdict]) -> Status:
    """A bar that was missed is missed, whatever can't be said of the other."""
    said = {one.status for one in verdicts}
    return next(s for s in (Status.MISSED, Status.NONE, Status.MET) if s in said)


def _none(of: str, why: str) -> Verdict:
    return Verdict(Status.NONE, f"No verdict on {of}: {why}. Measure while the machine rests.")
