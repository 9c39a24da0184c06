"""How the facts that a benchmark noted are told on its run's page."""

import re
from collections.abc import Sequence

from kernels.lab import EXPERIMENTS
from kernels.lab.evidence import Case

_LABELS = {
    "at": "Measured at",
    "block_bytes": "Block, bytes",
    "bytes_of_compiled": "Bytes, compiled",
    "capability": "Compute capability",
    "celsius": "Temperature, °C",
    "clock_hz": "SM clock, Hz",
    "cold": "Caches kept cold by",
    "cuda": "CUDA",
    "decoding_us": "Making a batch, µs",
    "id": "Id of the device",
    "kernels_sha256": "SHA-256 of the kernels",
    "l2_bytes": "L2 cache, bytes",
    "launcher": "Kernels started from",
    "memory_bytes": "Memory, bytes",
    "memory_mhz": "Memory clock, MHz",
    "numpy": "NumPy",
    "pause_seconds": "Pause, s",
    "peak_matmul": "Product timed for the peak",
    "period_us": "A batch every, µs",
    "rotation_bytes": "Bytes of all sets together",
    "sm_mhz": "SM clock, MHz",
    "throttle_reasons": "What set the clocks",
    "torch": "PyTorch",
    "utilization_percent": "Utilization, %",
    "warm_up": "Warm-up",
    "warm_up_seconds": "Warm-up, s",
}
_UNIT = re.compile(r"(?<=[\d)⁰¹²³⁴-⁹]) (?=([kMGT]?B(/s)?|[GT]?FLOPs?(/[sB])?|[µm]?s|MHz)\b)")
"""The blank between a number and its unit."""

_SIZES = re.compile(r"(?<=\d) → (?=\d)")
"""An arrow between two sizes: `1280 → 5120`."""

_NOT_COUNTED = frozenset({"seed"})

_EXACT = 2**53
"""Above it not every whole number has a double of its own."""

_CLOCKS = {
    0x01: "the GPU was idle",
    0x02: "the clocks asked for",
    0x04: "power limit",
    0x08: "hardware slowdown",
    0x10: "clocks of its group",
    0x20: "heat",
    0x40: "heat, by hardware",
    0x80: "power brake",
    0x100: "clocks of the display",
}
"""What the bits of NVML's clocks-event reasons stand for."""


def label(name: str) -> str:
    """A fact's name as a person writes it, with its unit: `sm_mhz` is `SM clock, MHz`."""
    return _LABELS.get(name) or begun(name.replace("_", " "))


def fact(value: object, name: str) -> object:
    """A fact's value: what was counted with its thousands apart, what was not found as a dash.

    Receipts of older versions mark names in backticks, which say nothing here.
    """
    if value is None:
        return "–"
    if isinstance(value, str):
        return value.replace("`", "")
    if name == "throttle_reasons" and isinstance(value, int):
        return _what_set_the_clocks(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        value = int(value)
    counted = isinstance(value, int | float) and name not in _NOT_COUNTED
    return f"{value:,}" if counted else value


def _what_set_the_clocks(reasons: int) -> str:
    found = [words for bit, words in _CLOCKS.items() if reasons & bit]
    return ", ".join(found) or ("nothing held them back" if reasons == 0 else f"{reasons:#x}")


def rate(gb_per_s: float) -> str:
    """A rate in GB/s, to two digits at least: `4,036`, `8.6`."""
    return f"{gb_per_s:,.0f}" if gb_per_s >= 100 else f"{gb_per_s:.1f}"


def us(time: float) -> str:
    """A time in µs with no more digits than mean something: `0.52`, `90.0`, `27,598`."""
    return f"{time:,.0f}" if time >= 1000 else f"{time:.1f}" if time >= 10 else f"{time:.2f}"


def experiment_called(name: str) -> str:
    """An experiment's title; its name where it is one that left."""
    return EXPERIMENTS[name].title if name in EXPERIMENTS else name


def case_name(case: Case) -> str:
    """A case of a run in words: `chain fused`, `fused, features 1,024`."""
    places = [f"{name.replace('_', ' ')} {fact(value, name)}" for name, value in case.at.items()]
    return ", ".join([case.variant.replace("_", " "), *places])


def unparted(text: str) -> str:
    """A text whose numbers stay in one line with their units, and with the sizes they lead to."""
    return _SIZES.sub(
        "\N{NO-BREAK SPACE}→\N{NO-BREAK SPACE}", _UNIT.sub("\N{NO-BREAK SPACE}", text)
    )


def columns_of_words(rows: Sequence[Sequence[str]]) -> list[bool]:
    """For each column of a table whether it holds words: none of its cells begins as a number."""
    columns = zip(*rows, strict=True)
    return [not any(cell.lstrip("−× ")[:1].isdigit() for cell in cells) for cells in columns]


def within(phrase: str) -> str:
    """A phrase as it stands within a sentence: `Memory bandwidth` becomes `memory bandwidth`."""
    return phrase[:1].lower() + phrase[1:] if phrase[1:2].islower() else phrase


def begun(phrase: str) -> str:
    """A phrase as it begins a sentence; the rest keeps its capitals."""
    return phrase[:1].upper() + phrase[1:]
