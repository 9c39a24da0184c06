"""A run's events, read for conclusions: every measured case with its samples."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Event = Mapping[str, Any]

TIMES = ("median_us", "p10_us", "p90_us", "n", "samples_us")


class Incomplete(ValueError):
    """Something without which nothing can be concluded is not there; the text names it."""


@dataclass(frozen=True, slots=True)
class Case:
    """One thing that was timed: a variant, where it stands in a sweep, and its times in µs.

    `at` holds the coordinates of a sweep ({"features": 1024}); `facts` all else that was
    counted or measured of it (bytes, flops, launches, registers, …).
    """

    variant: str
    at: Mapping[str, Any]
    median_us: float
    p10_us: float
    p90_us: float
    samples_us: tuple[float, ...]
    facts: Mapping[str, Any]

    def fact(self, name: str) -> Any:
        """One of the facts; Incomplete where the run does not say it."""
        if self.facts.get(name) is None:
            raise Incomplete(f"{name} of {self.variant} at {dict(self.at)}")
        return self.facts[name]

    @property
    def gb_per_s(self) -> float:
        """10⁹ bytes a second: the counted bytes over the median."""
        return self.fact("bytes") / self.median_us / 1e3


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that a run says; built by `evidence_of`."""

    device: Event
    limit: Event
    cases: tuple[Case, ...]
    summary: Event

    @property
    def parameters(self) -> Event:
        """What was run, as it was run."""
        return self.device["parameters"]

    @property
    def on_gpu(self) -> bool:
        """Whether it was a GPU that was measured."""
        return self.device["kind"] == "cuda"

    @property
    def device_name(self) -> str:
        """The device's own name."""
        return self.device["name"]

    def has(self, variant: str, **at: Any) -> bool:
        """Whether this case was measured."""
        return any(_is(case, variant, at) for case in self.cases)

    def case(self, variant: str, **at: Any) -> Case:
        """The first case of this variant with these coordinates; Incomplete without one."""
        for case in self.cases:
            if _is(case, variant, at):
                return case
        raise Incomplete(f"the result of {variant}{f' at {at}' if at else ''}")

    def of(self, variant: str, **at: Any) -> tuple[Case, ...]:
        """All cases of this variant with these coordinates, in the order measured."""
        return tuple(case for case in self.cases if _is(case, variant, at))

    def along(self, name: str, variant: str, **at: Any) -> tuple[tuple[Any, Case], ...]:
        """(coordinate, case) of a variant's sweep over `name`, ascending; Incomplete if empty."""
        found = [(case.at[name], case) for case in self.of(variant, **at) if name in case.at]
        if not found:
            raise Incomplete(f"any result of {variant} over {name}")
        return tuple(sorted(found, key=lambda pair: pair[0]))


def evidence_of(events: Iterable[Event]) -> Evidence:
    """The evidence in a whole run's events; Incomplete where a kind of event is missing."""
    by_kind: dict[str, list[Event]] = {}
    for event in events:
        by_kind.setdefault(event["event"], []).append(event)
    for kind in ("device", "result", "summary"):
        if kind not in by_kind:
            raise Incomplete(f"a {kind} line")
    return Evidence(
        by_kind["device"][0],
        by_kind.get("limit", [{}])[-1],
        tuple(map(case_of, by_kind["result"])),
        by_kind["summary"][-1],
    )


def case_of(event: Event) -> Case:
    """A result event as a case."""
    known = (*TIMES, "event", "variant", "at")
    return Case(
        event["variant"],
        event.get("at", {}),
        event["median_us"],
        event["p10_us"],
        event["p90_us"],
        tuple(event.get("samples_us", ())),
        {name: value for name, value in event.items() if name not in known},
    )


def _is(case: Case, variant: str, at: Mapping[str, Any]) -> bool:
    return case.variant == variant and all(case.at.get(name) == at[name] for name in at)
