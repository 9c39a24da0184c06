"""What differs between two runs: parameters, devices, versions, clocks, methods."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from kernels.lab.evidence import Evidence

Facts = Mapping[str, Any]

SAME_WORK = frozenset({"mode", "device"})
"""Parameters that set how long and where it is measured, not what is done."""

SHAPE = ("rows", "features")

DEVICE = ("name", "id", "driver", "cuda", "threads", "launcher")


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not the same in both runs; `apart` where it means that the work is not.

    `name` is a parameter's, a version's or a fact's own; a value is None where a run lacks it.
    """

    kind: str  # "parameter", "device", "version", "clock", "method"
    name: str
    this: Any
    other: Any
    apart: bool = False


def same_work(this: Facts, other: Facts) -> bool:
    """Whether runs of these parameters do the same work, wherever and however long."""
    names = {**this, **other}.keys() - SAME_WORK
    return all(this.get(name) == other.get(name) for name in names)


def differences(this: Evidence, other: Evidence) -> Iterable[Difference]:
    """All that was noted of both and is not the same; what sets their work apart first."""
    kinds = this.device["kind"], other.device["kind"]
    if kinds[0] != kinds[1]:
        yield Difference("device", "kind", *kinds, apart=True)
    named = this.parameters.get("preset") != other.parameters.get("preset")
    for one in _unlike("parameter", this.parameters, other.parameters):
        if one.name != "device" and not (named and one.name in SHAPE):
            yield replace(one, apart=one.name not in SAME_WORK)
    for kind, facts in _FACTS.items():
        yield from _unlike(kind, facts(this), facts(other))


def _unlike(kind: str, this: Facts, other: Facts) -> Iterable[Difference]:
    for name in {**this, **other}:
        if this.get(name) != other.get(name):
            yield Difference(kind, name, this.get(name), other.get(name))


def _device(run: Evidence) -> Facts:
    """What names the device; its id tells it from another of the same name."""
    return {name: run.device.get(name) for name in DEVICE}


def _versions(run: Evidence) -> Facts:
    return _facts(run.device, "versions")


def _clocks(run: Evidence) -> Facts:
    """The clocks that the device ran at when it had work, where they could be read."""
    after = _facts(_facts(run.summary, "state"), "after")
    return {name: after.get(name) for name in ("sm_mhz", "memory_mhz")}


def _method(run: Evidence) -> Facts:
    return _facts(run.summary, "method")


_FACTS: dict[str, Callable[[Evidence], Facts]] = {
    "device": _device,
    "version": _versions,
    "clock": _clocks,
    "method": _method,
}


def _facts(event: Facts, name: str) -> Facts:
    """The facts under this name; none where there are none."""
    found = event.get(name)
    return cast(Facts, found) if isinstance(found, Mapping) else {}
