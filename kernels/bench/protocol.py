"""What a benchmark run may be asked, and the lines it answers with. Standard library only.

One JSON object a line, each with an "event". In this order, `progress` first and between:

device    kind ("cuda" | "cpu"), id, name, at (the moment, ISO 8601, UTC), versions {…},
          experiment, parameters {…} (what is run, as run);
          cuda: multiprocessors, l2_bytes, memory_bytes, driver, launcher (what starts the
          kernels, in words; older recordings lack it) and others
check     variant, quantity ("y" | "dx" | "dweight" | "dbias" | "dresidual"), error, cap, passed:
          ‖found − float64‖ / ‖float64‖ over the whole tensors, before anything is timed;
          a second time, with when = "after", on what the timed runs wrote
progress  done, of, doing (a phrase)
limit     copy_gb_per_s, add_gb_per_s: read + write, and 2 reads + 1 write, of the same tensors in
          the same rounds; add_gb_per_s is "the machine's limit" everywhere
result    variant, at {…} (its place in a sweep, if there is one), median_us, p10_us, p90_us, n,
          samples_us, and what was counted or measured besides, by experiment: bytes, flops,
          gb_per_s, share_of_limit, launches, host_us, peak_memory_bytes, registers, …
          (null where it could not be read)
summary   method {…}, notes [sentence], suspect [sentence], state {before, after}, seconds,
          sentence and outcome (what kernels/lab concludes of the events before);
          of the chain: speedup, predicted_speedup, card_speedup, low, high, comparisons
          [{baseline, candidate, speedup, low, high, verdict}], formulas {…}
error     kind (one of ERROR_KINDS), message: one sentence; the exit code is not zero

`gb_per_s` = bytes / median, `share_of_limit` = gb_per_s / add_gb_per_s, `speedup` =
separate's median / fused's, with a 95 % bootstrap interval [low, high]. `bytes` is counted
(kernels/traffic.py), not measured. The variants are fused, separate, eager and compiled; on a
CPU fused and separate of the pointwise chain, then chain_fused and chain_separate.
"""

from dataclasses import dataclass
from typing import Any

DTYPES = ("bf16", "fp16", "fp32")
NORMS = ("layer", "rms")
ACTIVATIONS = ("gelu", "gelu_tanh", "silu", "relu", "identity")
DIRECTIONS = ("forward", "backward", "both")
DEVICES = ("cuda", "cpu")
EVENTS = ("device", "check", "progress", "limit", "result", "summary", "error")
ERROR_KINDS = (
    "no_gpu", "no_torch", "driver_too_old", "out_of_memory", "wrong_result",
    "bad_measurement", "bad_request", "bar_missed", "stopped", "failed",
)  # fmt: skip

SEED = 20260
"""Of every run's inputs."""

MAX_FEATURES = 65_536
MAX_ROWS = 4_194_304
MAX_ELEMENTS = 1 << 28


@dataclass(frozen=True, slots=True)
class Preset:
    """The shape of a real encoder's activations: batch × frames × features."""

    title: str
    batch: int
    frames: int
    features: int

    @property
    def rows(self) -> int:
        """Rows that the norm sees."""
        return self.batch * self.frames


PRESETS = {
    "whisper-large": Preset("Whisper large", 32, 1500, 1280),
    "wav2vec2-large": Preset("wav2vec 2.0 large", 32, 1499, 1024),
    "conformer-l": Preset("Conformer L", 64, 750, 512),
    "wav2vec2-features": Preset("wav2vec feature layer", 16, 16000, 512),
    "hubert-base": Preset("HuBERT base", 64, 499, 768),
}


@dataclass(frozen=True, slots=True)
class Request:
    """One run of the chain. `checked` refuses what no run takes."""

    rows: int
    features: int
    dtype: str = "bf16"
    norm: str = "layer"
    activation: str = "gelu"
    direction: str = "forward"
    device: str = "cuda"
    preset: str | None = None

    def checked(self) -> "Request":
        """Itself; ValueError with one sentence where it can't be run."""
        _within("rows", self.rows, MAX_ROWS)
        _within("features", self.features, MAX_FEATURES)
        _within("rows × features", self.rows * self.features, MAX_ELEMENTS)
        _one_of("dtype", self.dtype, DTYPES)
        _one_of("norm", self.norm, NORMS)
        _one_of("activation", self.activation, ACTIVATIONS)
        _one_of("direction", self.direction, DIRECTIONS)
        _one_of("device", self.device, DEVICES)
        return self


def from_preset(name: str, **rest: str) -> Request:
    """The request for a named shape; ValueError names those there are."""
    _one_of("preset", name, tuple(PRESETS))
    preset = PRESETS[name]
    return Request(preset.rows, preset.features, preset=name, **rest).checked()


_FIELDS = {
    "device": ("kind", "id", "name"),
    "check": ("variant", "quantity", "error", "cap", "passed"),
    "progress": ("done", "of"),
    "limit": ("copy_gb_per_s", "add_gb_per_s"),
    "result": ("variant", "median_us", "p10_us", "p90_us", "n"),
    "summary": ("method",),
    "error": ("kind", "message"),
}  # fmt: skip


def check_event(event: Any) -> None:
    """ValueError unless this is an event with the fields of its kind."""
    if not isinstance(event, dict) or event.get("event") not in EVENTS:
        raise ValueError(f"an event must be an object whose 'event' is one of {', '.join(EVENTS)}")
    missing = [name for name in _FIELDS[event["event"]] if name not in event]
    if missing:
        raise ValueError(f"the {event['event']} event lacks {', '.join(missing)}")


def _within(name: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        raise ValueError(f"{name} must be from 1 to {most}, not {value}")


def _one_of(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, not {value!r}")
