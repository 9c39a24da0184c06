"""What may be asked for: an experiment of the lab, with choices that it offers.

Nothing else reaches a benchmark's command line.
"""

from collections.abc import Mapping
from typing import Any

from app.domain.running import RunDevice
from kernels.lab import EXPERIMENTS
from kernels.lab.experiment import Asked

_BENCH = {RunDevice.GPU.value: "cuda", RunDevice.CPU.value: "cpu"}
_OURS = {bench: ours for ours, bench in _BENCH.items()}


class BadChoice(ValueError):
    """Something that can't be chosen; the text names it and what can be."""


def choose(experiment: str, device: str, given: Mapping[str, str]) -> Asked:
    """The run with these choices, and the defaults of the rest; BadChoice for one there is not."""
    if experiment not in EXPERIMENTS:
        raise BadChoice(f"There is no experiment {experiment!r}; there are {_told(EXPERIMENTS)}.")
    if device not in _BENCH:
        raise BadChoice(f"There is no device {device!r}; there are {_told(_BENCH)}.")
    try:
        return EXPERIMENTS[experiment].asked(_BENCH[device], given)
    except ValueError as fault:
        said = str(fault).rstrip(".")
        raise BadChoice(f"{said[:1].upper()}{said[1:]}.") from None


def as_parameters(asked: Asked) -> dict[str, Any]:
    """What the run's row keeps: the choices, and the kind of device."""
    return {**asked.parameters, "device": device_of(asked).value}


def as_asked(experiment: str, parameters: Mapping[str, Any]) -> Asked:
    """The run that such a row asks for; BadChoice where this version offers it no longer."""
    offered = tuple(EXPERIMENTS[experiment].parameters) if experiment in EXPERIMENTS else ()
    given = {name: parameters[name] for name in offered if name in parameters}
    return choose(experiment, str(parameters.get("device")), given)


def device_of(asked: Asked) -> RunDevice:
    """The kind of device that the run needs."""
    return RunDevice(_OURS[asked.device])


def _told(names: Mapping[str, object]) -> str:
    return ", ".join(names)
