"""What a whole measurement says: every number with its unit, its formula and what went into it.

The sentence a page begins with follows from here, so that page, list and API
never say different things.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Event = Mapping[str, Any]

ORDER = ("separate", "eager", "compiled", "fused")


class Verdict(StrEnum):
    """What can be said of one pass against the separate kernels."""

    FASTER = "faster"
    SLOWER = "slower"
    NO_DIFFERENCE = "no measurable difference"


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to run the chain, as measured; times in µs, rates in 10⁹ bytes a second."""

    name: str
    p10_us: float
    median_us: float
    p90_us: float
    n: int
    bytes: int
    flops: int
    gb_per_s: float
    share_of_limit: float
    launches: int
    peak_memory_bytes: int | None
    samples_us: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Derived:
    """A number that was worked out, with its formula and the inputs put in."""

    name: str
    value: float
    formula: str
    inputs: str


@dataclass(frozen=True, slots=True)
class Result:
    """A whole measurement of the chain and, on a processor, of a second one beside it."""

    verdict: Verdict
    low: float
    high: float
    speedup: Derived
    by_bytes: Derived
    by_card: float
    limit_gb_per_s: float
    variants: tuple[Variant, ...]
    device: Event
    summary: Event

    def variant(self, name: str) -> Variant:
        """The variant of this name; KeyError if it was not measured."""
        return {variant.name: variant for variant in self.variants}[name]

    @property
    def parameters(self) -> Event:
        """What was run, as it was run."""
        return self.device["parameters"]

    @property
    def suspects(self) -> tuple[str, ...]:
        """Sentences about numbers that are too good to be believed."""
        return tuple(self.summary.get("suspect", ()))

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about where this run leaves the model of counted bytes."""
        return tuple(self.summary.get("notes", ()))

    @property
    def states(self) -> Mapping[str, Event]:
        """Clocks, temperature and company of the device, before and after."""
        return self.summary.get("state") or {}

    @property
    def versions(self) -> Event:
        """The versions of what ran."""
        return self.device.get("versions") or {}

    @property
    def longest_us(self) -> float:
        """The longest time that a picture has to hold."""
        return max(variant.p90_us for variant in self.variants)

    @property
    def limit_us(self) -> float:
        """The least time for the fused kernel's bytes at the machine's limit."""
        return self.variant("fused").bytes / self.limit_gb_per_s / 1000

    @property
    def others(self) -> tuple[Event, ...]:
        """Comparisons of another chain that was timed in the same run."""
        return tuple(
            one
            for one in self.summary["comparisons"]
            if "chain" in one and one["candidate"] != "fused"
        )


def in_us(time: float) -> str:
    """A time in µs with no more digits than mean something."""
    return f"{time:,.0f}" if time >= 1000 else f"{time:,.1f}"


def result_of(events: Iterable[Event]) -> Result | None:
    """The result that these events make, or None where they make none."""
    by_kind: dict[str, list[Event]] = {}
    for event in events:
        by_kind.setdefault(event["event"], []).append(event)
    if not by_kind.keys() >= {"device", "limit", "result", "summary"}:
        return None
    variants = tuple(sorted(map(_variant, by_kind["result"]), key=_place))
    names = {variant.name: variant for variant in variants}
    if not names.keys() >= {"separate", "fused"}:
        return None
    summary = by_kind["summary"][-1]
    compared = _comparison(summary)
    return Result(
        Verdict(compared["verdict"]),
        compared["low"],
        compared["high"],
        _speedup(names["separate"], names["fused"]),
        _by_bytes(names["separate"], names["fused"]),
        summary["card_speedup"],
        by_kind["limit"][-1]["add_gb_per_s"],
        variants,
        by_kind["device"][0],
        summary,
    )


def _variant(event: Event) -> Variant:
    return Variant(
        event["variant"],
        event["p10_us"],
        event["median_us"],
        event["p90_us"],
        event["n"],
        event["bytes"],
        event["flops"],
        event["gb_per_s"],
        event["share_of_limit"],
        event["launches"],
        event["peak_memory_bytes"],
        tuple(event.get("samples_us", ())),
    )


def _place(variant: Variant) -> int:
    return ORDER.index(variant.name) if variant.name in ORDER else len(ORDER)


def _comparison(summary: Event) -> Event:
    """The summary's word on fused against separate."""
    return next(
        one
        for one in summary["comparisons"]
        if (one["baseline"], one["candidate"]) == ("separate", "fused")
    )


def _speedup(separate: Variant, fused: Variant) -> Derived:
    return Derived(
        "Measured",
        separate.median_us / fused.median_us,
        "separate's median ÷ fused's median",
        f"{in_us(separate.median_us)} µs ÷ {in_us(fused.median_us)} µs",
    )


def _by_bytes(separate: Variant, fused: Variant) -> Derived:
    return Derived(
        "By the bytes, residual counted",
        separate.bytes / fused.bytes,
        "separate's bytes ÷ fused's bytes",
        f"{separate.bytes / 1e6:,.1f} MB ÷ {fused.bytes / 1e6:,.1f} MB",
    )
