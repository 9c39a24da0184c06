"""The chain on a GPU: check everything, time everything, check again, conclude."""

import gc
import logging
import os
import time

from kernels import arithmetic, traffic
from kernels.bench import gpu_harness, machine, provenance, summary
from kernels.bench.checks import must_pass
from kernels.bench.emit import Progress, emit
from kernels.bench.protocol import Request


def run(request: Request, samples: int | None) -> None:
    """Print the events of one run; Failure where it can't be made."""
    # Compiling in this process: a pool of the compiler's workers takes longer to end than to use.
    os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")
    progress = Progress(of=1 + 4 + 2 + 10)  # inputs, variants, checks, tenths of the timing
    torch = machine.need_gpu()
    facts = gpu_harness.facts(torch)
    parameters = {name: getattr(request, name) for name in request.__slots__}
    said = {"at": provenance.now(), "versions": provenance.versions(), "parameters": parameters}
    emit("device", **facts, **said, experiment="chain")
    gc.collect()
    torch.cuda.empty_cache()
    _Run(torch, request, facts, samples, progress).go()


class _Run:
    """One run's state: inputs, the timed calls, and what was found."""

    def __init__(self, torch, request: Request, facts: dict, samples: int | None, progress) -> None:
        from kernels.bench import one_call, timing, variants

        self.torch, self.request, self.facts = torch, request, facts
        self.timing, self.variants, self.one_call = timing, variants, one_call
        self.rounds = samples or timing.ROUNDS
        self.started = time.monotonic()
        self.notes: list[str] = []
        self.extras: dict[str, dict] = {}
        self.timed: dict = {}
        self.progress = progress

    def go(self) -> None:
        self._allocate()
        self._prepare()
        self._check("before")
        before = machine.state(self.facts["id"])
        inputs = [tensor for one in self.sets for tensor in (*one.leaves, one.dy)]
        self.timing.poison(list(self.timed.values()), keep=inputs)
        self.timing.run_rounds(list(self.timed.values()), self.rounds, self._round_done)
        after = machine.state(self.facts["id"])
        self._check("after")
        self._conclude(before, after)

    def _allocate(self) -> None:
        chain = summary.chain_of(self.request)
        needed = self.timing.sets_needed(3 * chain.tensor_bytes, self.facts["l2_bytes"])
        self.sets = [self.variants.draw(self.request, number) for number in range(needed)]
        self.stream = self.torch.cuda.Stream()
        self.stream.wait_stream(self.torch.cuda.current_stream())
        self.progress.step("inputs drawn")

    def _prepare(self) -> None:
        limits = [self.variants.limit_calls(inputs) for inputs in self.sets]
        for name in ("copy", "add"):
            self._capture(name, [calls[name] for calls in limits])
        for name, chain in self.variants.chains(self.request).items():
            try:
                self._prepare_variant(name, chain)
            except Exception as fault:
                if name != "compiled":
                    raise
                self.timed.pop(name, None)
                self.notes.append(f"torch.compile could not be measured: {type(fault).__name__}.")
                logging.getLogger(__name__).warning("torch.compile failed", exc_info=fault)
            self.progress.step(f"{name} is ready")
            gc.collect()

    def _prepare_variant(self, name: str, chain) -> None:
        direction = self.request.direction
        calls = [self.variants.call(chain, inputs, direction, self.stream) for inputs in self.sets]
        self._capture(name, calls)
        with self.torch.cuda.stream(self.stream):
            self.extras[name] = {
                "launches": self.one_call.launches(calls[0]),
                "host_us": round(self.one_call.host_us(calls[0]), 1),
                "peak_memory_bytes": self.one_call.peak_bytes(calls[0]),
            }

    def _capture(self, name: str, calls) -> None:
        timed = self.timing.Timed(name, calls)
        self.timing.capture(timed, self.stream)
        self.timed[name] = timed

    def _measured(self) -> list[str]:
        return [name for name in self.timed if name not in ("copy", "add")]

    def _check(self, when: str) -> None:
        from kernels.bench.correct import Errors

        if when == "before":
            self.timing.replay_once(list(self.timed.values()))
        outputs = {name: self.timed[name].outputs[0] for name in self._measured()}
        events = Errors(self.request, outputs).of(self.sets[0])
        for event in events:
            emit("check", when=when, **event)
        for event in events:
            must_pass(event)
        self.progress.step(f"results checked {when} timing")

    def _round_done(self, i: int) -> None:
        if (i + 1) * 10 // self.rounds > i * 10 // self.rounds:
            self.progress.step("timing")

    def _conclude(self, before: dict, after: dict) -> None:
        samples = {name: timed.samples_us for name, timed in self.timed.items()}
        chain = self._chain()
        limit = summary.chain_limit(samples, chain.tensor_bytes)
        emit("limit", **limit)
        rate = limit["add_gb_per_s"]
        results = [self._result(name, samples[name], chain, rate) for name in self._measured()]
        for event in results:
            emit("result", **event)
        measured = {name: samples[name] for name in self._measured()}
        whole = summary.summary(self.request, measured, chain)
        emit(
            "summary", **whole,
            notes=self.notes + summary.notes(
                self.request, chain.tensor_bytes, self.facts["l2_bytes"]
            ),
            suspect=summary.suspects(results, whole) + summary.busy(before, after),
            method=self._method(chain), state={"before": before, "after": after},
            seconds=round(time.monotonic() - self.started, 1),
        )  # fmt: skip

    def _chain(self) -> traffic.Chain:
        from kernels.bench.launched import launched

        return launched(summary.chain_of(self.request), self.sets[0].leaves[0])

    def _result(self, name: str, samples, chain: traffic.Chain, limit: float) -> dict:
        direction = self.request.direction
        moved = traffic.total_bytes(chain, name, direction)
        flops = arithmetic.flops(chain, name, direction)
        return summary.result(name, samples, moved, flops, limit, **self.extras[name])

    def _method(self, chain: traffic.Chain) -> dict:
        cold = {
            "cold": f"{len(self.sets)} sets of inputs and outputs in turn",
            "rotation_bytes": 3 * chain.tensor_bytes * len(self.sets),
            "l2_bytes": self.facts["l2_bytes"],
        }
        least = "the least that any program must move, not what was seen"
        return self.timing.method(self.rounds, "variants", **cold) | {"bytes_of_compiled": least}
