"""The mistakes of the broken benchmarks: what each does, and why it can mislead."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Sin:
    """What the benchmark does, for the learner to recognise; why that misleads; its honest twin."""

    does: str
    why: str
    twin: str = "honest"


SINS: Mapping[str, Sin] = MappingProxyType(
    {
        "no_synchronize": Sin(
            "stops the clock without waiting for the device",
            "A call returns once its kernels are queued: the clock has timed the host.",
        ),
        "no_warm_up": Sin(
            "starts the clock at the very first calls",
            "The first calls fetch memory from the driver, touch it for the first time and meet "
            "clocks that have not risen yet; whoever is timed first pays most of it.",
        ),
        "compile_in_window": Sin(
            "compiles within the timed window",
            "The compiler takes thousands of times as long as the kernels, so the ratio is that "
            "of two compilations.",
        ),
        "hot_cache": Sin(
            "repeats one small set of tensors, which stays in the cache",
            "From the second call on the data come from the cache and not from memory: the rate "
            "can exceed what memory can do.",
            "small",
        ),
        "zeros": Sin(
            "times zeros in the place of data",
            "Zeros toggle fewer wires, so they draw less power and can be run at higher clocks; "
            "and they hide what was computed wrongly or not at all.",
        ),
        "tiny_tensor": Sin(
            "times a tensor of a few rows",
            "Calls and launches take the time, and next to no bytes: what is compared is how many "
            "of them there are.",
        ),
        "unfair_baseline": Sin(
            "takes a slower baseline than the one it names",
            "The baseline was less well made than what it is held against, so part of the gain "
            "is not the fusion's.",
        ),
    }
)
