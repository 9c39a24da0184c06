"""What may be asked for: one of the experiments, presets, number formats and directions there are.

Nothing else reaches a benchmark's command line.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.domain.running import RunDevice
from kernels.bench import protocol
from kernels.lab import EXPERIMENTS


class BadChoice(ValueError):
    """Something that can't be chosen; the text names it and what can be."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One run as a learner chooses it."""

    preset: str
    dtype: str
    direction: str
    device: RunDevice = RunDevice.GPU
    experiment: str = "chain"

    def as_parameters(self) -> dict[str, Any]:
        """What the run's row keeps."""
        return {
            "preset": self.preset,
            "dtype": self.dtype,
            "direction": self.direction,
            "device": self.device.value,
        }


def choose(experiment: str, preset: str, dtype: str, direction: str, device: str) -> Choice:
    """The choice with these names; BadChoice for a name that there is not.

    The CPU edition has one number format and one direction, whatever is asked.
    """
    _one_of("experiment", experiment, tuple(EXPERIMENTS))
    _one_of("preset", preset, tuple(protocol.PRESETS))
    _one_of("dtype", dtype, protocol.DTYPES)
    _one_of("direction", direction, protocol.DIRECTIONS)
    _one_of("device", device, tuple(RunDevice))
    if device == RunDevice.CPU:
        return Choice(preset, "fp32", "forward", RunDevice.CPU, experiment)
    return Choice(preset, dtype, direction, RunDevice(device), experiment)


def _one_of(name: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise BadChoice(f"There is no {name} {value!r}; choose one of: {', '.join(known)}.")
