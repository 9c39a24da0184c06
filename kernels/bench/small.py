"""Sizes at which starting the kernels takes longer than the kernels do.

Wall time: calls one after another, then one wait, over the number of calls, so the
launches are included, as a model without CUDA graphs pays them. Graph: replays of
one captured call, as a model with them pays. Host: the time to issue a call while
the GPU is kept busy with other work, so that no call waits for it.
"""

from collections.abc import Callable
from statistics import median

import torch

from kernels import fused_chain, separate_chain
from kernels.bench import timing, variants
from kernels.bench.bars import Verdict
from kernels.bench.one_call import host_us, wall_us
from kernels.bench.protocol import Request
from kernels.reference import eager_chain

SIZES = {(64, 512): "64×512", (1500, 512): "1500×512", (499, 768): "10 s of speech, 499×768"}
CHAINS = {"fused": fused_chain, "separate": separate_chain, "eager": eager_chain}
CALLS, REPEATS = 50, 20
GRAPH_ROUNDS = 100

Times = dict[str, float]
"""{variant: microseconds a call}"""


def wall(calls: dict[str, Callable]) -> Times:
    """Microseconds a call, launches included; the variants take turns."""
    return _in_turns(calls, lambda call: wall_us(call, CALLS))


def host(calls: dict[str, Callable]) -> Times:
    """Microseconds that issuing a call takes."""
    return _in_turns(calls, host_us)


def graph(calls: dict[str, Callable]) -> Times:
    """Microseconds of replaying a call captured as a CUDA graph."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    timed = [timing.Timed(name, [call]) for name, call in calls.items()]
    for one in timed:
        timing.capture(one, stream)
    timing.run_rounds(timed, GRAPH_ROUNDS, warm_up=0.1)
    return {one.name: median(one.samples_us) for one in timed}


def _in_turns(calls: dict[str, Callable], measure: Callable) -> Times:
    samples = {name: [] for name in calls}
    for _ in range(REPEATS + 1):
        for name, call in calls.items():
            samples[name].append(measure(call))
    return {name: median(found[1:]) for name, found in samples.items()}


def calls_of(request: Request, train: bool) -> dict[str, Callable]:
    """Each variant's call: forward alone without gradients, or forward and backward."""
    inputs = variants.draw(request, 0)
    if train:
        return {
            name: lambda chain=chain: torch.autograd.grad(
                chain(*inputs.leaves), inputs.leaves, inputs.dy
            )
            for name, chain in CHAINS.items()
        }
    leaves = tuple(leaf.detach() for leaf in inputs.leaves)
    return {name: lambda chain=chain: (chain(*leaves),) for name, chain in CHAINS.items()}


def lines() -> tuple[list[str], list[Verdict]]:
    """The section's lines, and the verdicts: never slower than separate or eager."""
    said = [f"{'':<44}{'wall µs':>27}{'graph µs':>27}{'host µs':>27}"]
    said.append(f"{'':<44}" + 3 * "".join(f"{name:>9}" for name in CHAINS))
    verdicts = []
    for (rows, features), name in SIZES.items():
        for train in (False, True):
            what = f"{name} bf16 {'forward+backward' if train else 'forward'}"
            calls = calls_of(Request(rows, features), train)
            found = {"wall": wall(calls), "graph": graph(calls), "host": host(calls)}
            figures = "".join(f"{t:9.1f}" for times in found.values() for t in times.values())
            said.append(f"{what:<44}{figures}")
            verdicts += _verdicts(what, found)
    return said, verdicts


def _verdicts(what: str, found: dict[str, Times]) -> list[Verdict]:
    verdicts = []
    for kind, others in (("wall", ("separate", "eager")), ("host", ("eager",))):
        times = found[kind]
        for other in others:
            name = f"{what}, {kind}: times {other}'s speed"
            verdicts.append(Verdict(name, times[other] / times["fused"], 1.0))
    return verdicts
