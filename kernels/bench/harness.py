"""What every experiment does alike: say what it runs on, check, time, conclude.

An experiment's program is a function of (Asked); it opens a bench (gpu_harness.py,
cpu_harness.py), hands it the calls to time, and ends with `finish`.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kernels.bench import checks, provenance, summary
from kernels.bench.emit import Failure, Progress, emit
from kernels.bench.protocol import SEED
from kernels.lab import EXPERIMENTS
from kernels.lab.evidence import evidence_of
from kernels.lab.experiment import Asked
from kernels.lab.measures import times


@dataclass(slots=True)
class Timing:
    """One case to be timed: its calls (one for each set of inputs), and what is known of it.

    A call takes nothing and returns the tensors it wrote. `at` and `facts` go into the
    result as they are; `bytes` among the facts adds gb_per_s and share_of_limit.
    """

    variant: str
    calls: Sequence[Callable[[], tuple]]
    at: Mapping[str, Any] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)


class Bench(ABC):
    """One run: prints its events in the protocol's order. `steps` is how much progress there is."""

    QUICK_ROUNDS: int
    FULL_ROUNDS: int

    def __init__(self, asked: Asked, steps: int) -> None:
        self.asked = asked
        self.progress = Progress(of=steps)  # before PyTorch is loaded, which takes seconds
        self.torch = self._need()
        self.torch.manual_seed(SEED)
        self.facts = self._facts()
        self.rounds = self.QUICK_ROUNDS if asked.quick else self.FULL_ROUNDS
        self.started = time.monotonic()
        self.events: list[dict] = []
        said = {"at": provenance.now(), "versions": provenance.versions()}
        how = {**asked.parameters, "device": asked.device}
        self.say("device", **self.facts, **said, experiment=asked.experiment, parameters=how)
        self.before = self._state()
        self.add_gb_per_s: float | None = None

    def say(self, event: str, **fields: Any) -> None:
        """Print an event and keep it for the conclusion."""
        emit(event, **fields)
        self.events.append({"event": event, **fields})

    def check(self, variant: str, quantity: str, found, exact, cap: float) -> None:
        """‖found − exact‖ / ‖exact‖ against its cap; Failure where it is beyond."""
        from kernels.reference import error

        self.must_pass(checks.judged(variant, quantity, error(found, exact), cap))

    def must_pass(self, judged: Mapping[str, Any], **more: Any) -> None:
        """Say a check, `more` before its fields; Failure where it was not passed."""
        self.say("check", **more, **judged)
        checks.must_pass(judged)

    @abstractmethod
    def sets(self, bytes_a_set: int) -> int:
        """How many sets of inputs and outputs the calls go round."""

    def limit(self, elements: int, dtype, **more: Any) -> float:
        """Time a copy and an add of tensors of this size; the machine's limit in GB/s.

        `more` are other ceilings, said in the same event.
        """
        calls = [self._limit_calls(elements, dtype) for _ in range(self.sets(3 * elements * 4))]
        copy, add = self.timed(
            [Timing(name, [call[name] for call in calls]) for name in ("copy", "add")]
        )
        return self._say_limit(copy, add, elements * dtype.itemsize, **more)

    def _say_limit(
        self, copy: Sequence[float], add: Sequence[float], tensor_bytes: int, **more: Any
    ) -> float:
        rates = summary.limit(copy, add, tensor_bytes)
        self.add_gb_per_s = rates["add_gb_per_s"]
        self.say("limit", **rates, n=self.rounds, **more)
        return self.add_gb_per_s

    @abstractmethod
    def timed(self, timings: Sequence[Timing], keep: Sequence = ()) -> list[list[float]]:
        """Samples in µs of each, all interleaved; outputs finite after.

        `keep` are tensors that may be outputs but whose values must stay, inputs above all.
        """

    def measure(self, timings: Sequence[Timing], keep: Sequence = ()) -> None:
        """Time the cases against each other in the same rounds, and say their results."""
        self._results(timings, self.timed(timings, keep))

    def _results(self, timings: Sequence[Timing], samples: Sequence[Sequence[float]]) -> None:
        for timing, taken in zip(timings, samples, strict=True):
            self.result(timing.variant, taken, timing.at, timing.facts)

    def result(
        self, variant: str, samples: Sequence[float], at: Mapping[str, Any] = {},
        facts: Mapping[str, Any] = {},
    ) -> None:  # fmt: skip
        """Say a result from its samples in µs."""
        event = {"variant": variant, "at": dict(at), **times(samples), **facts}
        if facts.get("bytes"):
            event["gb_per_s"] = summary.rate(facts["bytes"], event["median_us"])
            if self.add_gb_per_s:
                event["share_of_limit"] = round(event["gb_per_s"] / self.add_gb_per_s, 4)
        self.say("result", **event)

    def step(self, doing: str) -> None:
        """One step of the progress is done."""
        self.progress.step(doing)

    def finish(self, notes: Sequence[str] = (), **method: Any) -> None:
        """Say the summary: the conclusion in a sentence, the method, the device's state."""
        after = self._state()
        said = {
            "experiment": self.asked.experiment,
            "notes": list(notes),
            "suspect": summary.busy(self.before, after),
            "method": self._method() | method,
            "state": {"before": self.before, "after": after},
            "seconds": round(time.monotonic() - self.started, 1),
        }
        evidence = evidence_of([*self.events, {"event": "summary", **said}])
        conclusion = EXPERIMENTS[self.asked.experiment].conclude(evidence)
        self.say("summary", sentence=conclusion.sentence, outcome=conclusion.outcome, **said)

    @abstractmethod
    def _need(self) -> Any:
        """The torch module, fit to run on this device; Failure where it is not."""

    @abstractmethod
    def _facts(self) -> dict[str, Any]:
        """The device, for its event."""

    @abstractmethod
    def _state(self) -> dict[str, Any]:
        """Clocks, heat and company at this moment; empty where nothing says them."""

    @abstractmethod
    def _limit_calls(self, elements: int, dtype) -> dict[str, Callable[[], tuple]]:
        """{"copy", "add"}: the calls of the machine's limit on tensors of their own."""

    @abstractmethod
    def _method(self) -> dict[str, Any]:
        """How this device is timed."""

    def _see_finite(self, variant: str, outputs: Sequence[tuple]) -> None:
        written = [t for one in outputs for t in one if t is not None and t.is_floating_point()]
        if not all(bool(self.torch.isfinite(t).all()) for t in written):
            raise Failure("wrong_result", f"{variant} left NaN or infinity in its output.")
