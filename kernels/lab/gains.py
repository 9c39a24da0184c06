"""The size experiment's gains, and the volumes at which what binds should change."""

from dataclasses import dataclass

from kernels.lab.evidence import Evidence
from kernels.lab.measures import ratio_interval

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
class Bounds:
    """Volumes in bytes, from the device's facts: launches hidden, cache full, cache left behind."""

    launches_us: float
    launches: float
    launches_in_graph: float | None
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
        interval = ratio_interval(slow.samples_us, fast.samples_us)
        found.append(Gain(volume, slow.median_us / fast.median_us, *interval, by_bytes))
    return tuple(found)


def bounds_of(evidence: Evidence) -> Bounds:
    """Where launches, the cache and memory should take over, from what was measured here."""
    cache = evidence.device.get("l2_bytes") or evidence.device.get("cache_bytes") or 0
    cost, hidden = _launches(evidence, *ONE_BY_ONE)
    in_graph = _launches(evidence, *IN_A_GRAPH)[1] if evidence.has(IN_A_GRAPH[0]) else None
    full = cache / CACHE_FULL
    return Bounds(cost, hidden, in_graph, full, max(hidden, CACHE_PAST * cache))


def _launches(evidence: Evidence, many: str, one: str) -> tuple[float, float]:
    """(what a call costs in µs when it moves next to nothing, the volume that takes as long)."""
    rate = evidence.limit["add_gb_per_s"] * 1e3  # bytes a microsecond
    slow, fast = (evidence.along("volume", name)[0][1] for name in (many, one))
    cost = slow.median_us
    by_bytes = slow.fact("bytes") / fast.fact("bytes")
    return cost, max(cost * rate / by_bytes, fast.median_us * rate)
