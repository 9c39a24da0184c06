"""What the run's templates are given: the run in words, and what this learner may see and do."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.domain.running import RunSource
from app.runs.ledger import accounts
from app.runs.result import Result, Variant, Verdict, in_us
from app.runs.view import RunView
from app.store.models import Learner
from app.web.counts import without_residual
from kernels.bench.protocol import PRESETS

TROUBLES = {
    "no_gpu": "No GPU was found",
    "no_torch": "PyTorch is not installed here",
    "driver_too_old": "The GPU's driver is too old",
    "out_of_memory": "The GPU ran out of memory",
    "wrong_result": "The kernels gave wrong numbers",
    "device_silent": "The device does not answer",
}
DTYPES = {"bf16": "bfloat16", "fp16": "float16", "fp32": "float32"}
VARIANTS = {
    "separate": "Separate kernels",
    "eager": "PyTorch, eager",
    "compiled": "torch.compile",
    "fused": "One pass",
}
ON_CPU = {
    "separate": "Separate passes",
    "fused": "One pass",
    "chain_separate": "Norm chain, separate",
    "chain_fused": "Norm chain, one pass",
}


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of the picture of times, in µs."""

    name: str
    kind: str
    value: float
    low: float
    high: float
    shown: str
    note: str


def shown(view: RunView, learner: Learner | None) -> dict[str, Any]:
    """The values of `_run.html`."""
    result = view.result
    return {
        "view": view,
        "run": view.run,
        "title": title(as_run(view)),
        "mine": learner is not None and view.run.learner_id == learner.id,
        "recorded": view.run.source is RunSource.RECORDED,
        "expected": view.expected.get(learner.id) if learner else None,
        "result": result,
        "sentence": sentence(result, view.run.source) if result else None,
        "bars": [_bar(variant, result) for variant in result.variants] if result else [],
        "accounts": accounts(result) if result and _on_gpu(result) else (),
        "names": names(result) if result else {},
        "by_card": _by_card(result) if result else "",
        "trouble_title": TROUBLES.get(view.run.trouble_kind or ""),
    }


def as_run(view: RunView) -> Mapping[str, Any]:
    """The parameters that were run, or before that is known those that were asked for."""
    asked = view.run.parameters
    said = view.device.get("parameters", asked) if view.device else asked
    return {**said, "device": asked["device"]}


def title(parameters: Mapping[str, Any]) -> str:
    """What was asked for, in words: `Whisper large, bfloat16, forward`."""
    preset = PRESETS.get(parameters.get("preset") or "")
    shape = preset.title if preset else f"{parameters.get('rows')} × {parameters.get('features')}"
    dtype = DTYPES.get(parameters["dtype"], parameters["dtype"])
    where = ", CPU edition" if parameters.get("device") == "cpu" else ""
    return f"{shape}, {dtype}, {parameters['direction']}{where}"


def sentence(result: Result, source: RunSource) -> str:
    """What was found, in the sentence that the page begins with."""
    which = "an" if source is RunSource.RECORDED else "this"
    many, device = _many(result), f"{which} {result.device['name']}"
    where = f"on {device}" if _on_gpu(result) else f"on one core of {device}"
    if result.verdict is Verdict.NO_DIFFERENCE:
        return f"No measurable difference between one pass and {many} {where}."
    factor = result.speedup.value
    if result.verdict is Verdict.SLOWER:
        return f"One pass is {1 / factor:.2f}× slower than {many} {where}."
    return f"One pass is {factor:.2f}× faster than {many} {where}."


def names(result: Result) -> Mapping[str, str]:
    """How each variant is called on this run's page."""
    return VARIANTS if _on_gpu(result) else ON_CPU


def _many(result: Result) -> str:
    if not _on_gpu(result):
        return "five separate passes"
    forward = result.parameters["direction"] == "forward"
    return "the three separate kernels" if forward else "the separate kernels"


def _by_card(result: Result) -> str:
    """The count that leaves the residual out, with what went into it where the ledger knows."""
    if not _on_gpu(result):
        return "tensors carried: separate ÷ one pass"
    count = without_residual(result.parameters["direction"])
    return f"tensors carried: separate ÷ one pass = {count.separate} ÷ {count.fused}"


def _on_gpu(result: Result) -> bool:
    return result.device["kind"] == "cuda"


def _bar(variant: Variant, result: Result) -> Bar:
    kind = "one" if "fused" in variant.name else "many" if "separate" in variant.name else "other"
    return Bar(
        names(result).get(variant.name, variant.name),
        kind,
        variant.median_us,
        variant.p10_us,
        variant.p90_us,
        in_us(variant.median_us),
        f"{variant.share_of_limit:.0%} of the limit",
    )
