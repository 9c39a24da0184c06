"""The size experiment's gains, and the volumes at which what binds should change."""

from dataclasses import dataclass

from kernels.lab.evidence import Case, Evidence
from kernels.lab.measures import ROUNDING_US, ratio_interval

NEAR = 0.1
"""How far from the ratio of the bytes still counts as it: no two kernels reach the same share of
the memory's rate, and even well-made ones differ by some per cent of it."""

CACHE_FULL = 5 / 3
"""One set's five tensors (x, residual, h, g, y) over the three that one pass moves."""

CACHE_PAST = 3 * 4
"""Memory-bound from here, in caches: each of the three tensors four times the cache, so that at
most an eighth of what a pass reads again can still be there."""

ONE_BY_ONE = ("separate", "fused")
IN_A_GRAPH = ("separate_graph", "fused_graph")


@dataclass(frozen=True, slots=True)
class Gain:
    """One volume: how many times faster one pass is, with its interval, and what bytes say."""

    volume: int
    ratio: float
    low: float
    high: float
    by_bytes: float

    @property
    def near(self) -> bool | None:
        """Whether bytes predict it; None where the interval reaches both ways."""
        least, most = self.by_bytes / (1 + NEAR), self.by_bytes * (1 + NEAR)
        if least <= self.low and self.high <= most:
            return True
        return False if self.high < least or self.low > most else None


@dataclass(frozen=True, slots=True)
class Launches:
    """What calls cost that move next to nothing, in µs, and what memory moves in that time.

    `by_bytes` is the ratio of the bytes in large tensors, `rate` the limit in bytes a µs.
    """

    many_us: float
    one_us: float
    by_bytes: float
    rate: float

    @property
    def hidden_by_many(self) -> float:
        """The volume at which the separate kernels' bytes take as long as their launches."""
        return self.many_us * self.rate / self.by_bytes

    @property
    def hidden_by_one(self) -> float:
        """The same for one pass."""
        return self.one_us * self.rate

    @property
    def hidden(self) -> float:
        """The volume from which neither is bound by its launches."""
        return max(self.hidden_by_many, self.hidden_by_one)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Volumes in bytes, from the device's facts: launches hidden, cache full, cache left behind."""

    launches: Launches
    in_graph: Launches | None
    cache: float
    memory: float


def gains_of(evidence: Evidence, many: str, one: str) -> tuple[Gain, ...]:
    """The gain at each volume, ascending; none where these variants were not measured."""
    if not evidence.has(one):
        return ()
    found = []
    for volume, slow in evidence.along("volume", many):
        fast = evidence.case(one, volume=volume)
        by_bytes = slow.fact("bytes") / fast.fact("bytes")
        found.append(
            Gain(volume, slow.median_us / fast.median_us, *_interval(slow, fast), by_bytes)
        )
    return tuple(found)


def _interval(slow: Case, fast: Case) -> tuple[float, float]:
    """As wide as the samples were rounded at least: much, of a graph's 2 µs."""
    low, high = ratio_interval(slow.samples_us, fast.samples_us)
    unsure = 1 + ROUNDING_US / slow.median_us + ROUNDING_US / fast.median_us
    return low / unsure, high * unsure


def bounds_of(evidence: Evidence) -> Bounds:
    """Where launches, the cache and memory should take over, from what was measured here."""
    cache = evidence.device.get("l2_bytes") or evidence.device.get("cache_bytes") or 0
    launches = _launches(evidence, *ONE_BY_ONE)
    in_graph = _launches(evidence, *IN_A_GRAPH) if evidence.has(IN_A_GRAPH[0]) else None
    past = max(launches.hidden, CACHE_PAST * cache)
    return Bounds(launches, in_graph, cache / CACHE_FULL, past)


def _launches(evidence: Evidence, many: str, one: str) -> Launches:
    """No call takes less than its launches: the least median, whichever small volume had it."""
    *_, (_, most) = separate = evidence.along("volume", many)
    *_, (_, least) = fused = evidence.along("volume", one)
    slow, fast = (min(case.median_us for _, case in cases) for cases in (separate, fused))
    by_bytes = most.fact("bytes") / least.fact("bytes")
    rate = evidence.limit["add_gb_per_s"] * 1e3
    return Launches(slow, fast, by_bytes, rate)
