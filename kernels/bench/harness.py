"""What every experiment on a GPU does alike: say what it runs on, check, time, conclude.

An experiment's program is a function of (Asked); it opens a `Bench`, hands it the
calls to time, and ends with `finish`. The timing is that of kernels/bench/timing.py.
"""

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from kernels.bench import machine, summary
from kernels.bench.emit import Failure, Progress, emit
from kernels.lab import EXPERIMENTS
from kernels.lab.evidence import evidence_of
from kernels.lab.experiment import Asked
from kernels.lab.measures import times

QUICK_ROUNDS, FULL_ROUNDS = 30, 100
SEED = 20260


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


class Bench:
    """One run: prints its events in the protocol's order. `steps` is how much progress there is."""

    def __init__(self, asked: Asked, steps: int) -> None:
        self.asked = asked
        self.progress = Progress(of=steps)  # before PyTorch is loaded, which takes seconds
        self.torch = machine.need_gpu()
        self.torch.manual_seed(SEED)
        self.facts = machine.gpu(self.torch)
        self.rounds = QUICK_ROUNDS if asked.quick else FULL_ROUNDS
        self.started = time.monotonic()
        self.events: list[dict] = []
        said = {"at": machine.now(), "versions": machine.versions()}
        how = {**asked.parameters, "device": asked.device}
        self.say("device", **self.facts, **said, experiment=asked.experiment, parameters=how)
        self.before = self._state()
        self.stream = self.torch.cuda.Stream()
        self.add_gb_per_s: float | None = None
        self.pause_seconds = 0.0  # after each timed round, for what runs into the power limit

    def say(self, event: str, **fields: Any) -> None:
        """Print an event and keep it for the conclusion."""
        emit(event, **fields)
        self.events.append({"event": event, **fields})

    def check(self, variant: str, quantity: str, found, exact, cap: float) -> None:
        """‖found − exact‖ / ‖exact‖ against its cap; Failure where it is beyond."""
        scale = exact.double().norm().item() or 1.0
        error = (found.double() - exact.double()).norm().item() / scale
        finite = error == error and error != float("inf")
        passed = finite and error <= cap
        said = {"error": error if finite else None, "cap": cap, "passed": passed}
        self.say("check", variant=variant, quantity=quantity, **said)
        if not passed:
            message = f"{variant} computes a wrong {quantity}: its error is {error}, the cap {cap}."
            raise Failure("wrong_result", message)

    def sets(self, bytes_a_set: int) -> int:
        """How many sets of inputs and outputs make the calls cold."""
        from kernels.bench import timing

        return timing.sets_needed(bytes_a_set, self.facts["l2_bytes"])

    def limit(self, elements: int, dtype, **more: Any) -> float:
        """Time a copy and an add of tensors of this size; the machine's limit in GB/s.

        `more` are other ceilings, said in the same event.
        """
        calls = [self._limit_calls(elements, dtype) for _ in range(self.sets(3 * elements * 4))]
        copy, add = self.timed(
            [Timing(name, [call[name] for call in calls]) for name in ("copy", "add")]
        )
        size = elements * dtype.itemsize
        rates = (summary.rate(2 * size, median(copy)), summary.rate(3 * size, median(add)))
        self.add_gb_per_s = rates[1]
        self.say("limit", copy_gb_per_s=rates[0], add_gb_per_s=rates[1], n=self.rounds, **more)
        return rates[1]

    def _limit_calls(self, elements: int, dtype) -> dict[str, Callable[[], tuple]]:
        torch = self.torch
        x, r = (torch.randn(elements, device="cuda").to(dtype) for _ in range(2))
        copied, added = torch.empty_like(x), torch.empty_like(x)
        add = lambda: (torch.add(x, r, out=added),)  # noqa: E731
        return {"copy": lambda: (copied.copy_(x),), "add": add}

    def timed(
        self, timings: Sequence[Timing], keep: Sequence = (),
        look: Callable[[Sequence], None] = lambda _: None,
    ) -> list[list[float]]:  # fmt: skip
        """Samples in µs of each, all interleaved; outputs poisoned before, finite after.

        `keep` are tensors that may be outputs but must not be poisoned, inputs above all.
        `look` is handed the captured graphs (timing.Timed, one for each) before the rounds.
        """
        from kernels.bench import timing

        all_timed = [timing.Timed(str(i), t.calls) for i, t in enumerate(timings)]
        self.stream.wait_stream(self.torch.cuda.current_stream())  # on which inputs are drawn
        for one in all_timed:
            timing.capture(one, self.stream)
        look(all_timed)
        timing.poison(all_timed, keep)
        timing.run_rounds(all_timed, self.rounds, lambda _: time.sleep(self.pause_seconds))
        for one, given in zip(all_timed, timings, strict=True):
            self._see_finite(given.variant, one.outputs)
        return [one.samples_us for one in all_timed]

    def measure(self, timings: Sequence[Timing], keep: Sequence = ()) -> None:
        """Time the cases against each other in the same rounds, and say their results."""
        for timing, samples in zip(timings, self.timed(timings, keep), strict=True):
            self.result(timing.variant, samples, timing.at, timing.facts)

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

    def free(self) -> None:
        """Give the memory of what is no longer held back to the device."""
        gc.collect()
        self.torch.cuda.empty_cache()

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

    def _state(self) -> dict[str, Any]:
        """Clocks, heat and company at this moment."""
        return machine.state(self.facts["id"])

    def _method(self) -> dict[str, Any]:
        from kernels.bench import timing

        return {
            "timer": "CUDA events around replays of a CUDA graph",
            "statistic": "median, with p10 and p90",
            "repetitions": self.rounds,
            "warm_up_seconds": timing.WARM_UP_SECONDS,
            "order": "all cases of a group once a round, shuffled anew each round",
            "inputs": "normal, from a fixed seed",
            "seed": SEED,
            "poisoned": "outputs filled with NaN before timing and checked after it",
        }

    def _see_finite(self, variant: str, outputs: Sequence[tuple]) -> None:
        written = [t for one in outputs for t in one if t is not None and t.is_floating_point()]
        if not all(bool(self.torch.isfinite(t).all()) for t in written):
            raise Failure("wrong_result", f"{variant} left NaN or infinity in its output.")
