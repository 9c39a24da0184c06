"""The size experiment's sentence, and what calls one by one have on top of their graph's."""

from collections.abc import Iterable, Sequence
from itertools import takewhile

from kernels.lab.conclusion import Outcome
from kernels.lab.evidence import Case, Evidence
from kernels.lab.gains import Gain
from kernels.lab.measures import per_cent
from kernels.lab.size_pictures import words

BEHIND = 0.01
"""Of the time in a graph: what one pass one by one may take longer without a word on it."""


def sentence(
    evidence: Evidence, outcome: Outcome, gains: tuple[Gain, ...], start: Gain | None
) -> str:
    """The gain at the largest volume, and from which on it is what the bytes say, from `start`."""
    last = gains[-1]
    where = f"on {'' if evidence.on_gpu else 'one core of '}this {evidence.device_name}"
    faster = f"{last.ratio:.2f}× faster" if last.ratio >= 1 else f"{1 / last.ratio:.2f}× slower"
    measured = (
        f"At {words(last.volume)} one pass is {faster} than the separate "
        f"{'kernels' if evidence.on_gpu else 'passes'} {where}; bytes predict {last.by_bytes:.2f}×"
    )
    if outcome is Outcome.UNDECIDED:
        return f"{measured}. {_narrowed(gains, start)}"
    if outcome is Outcome.HOLDS and start is not None:
        return (
            f"{measured}, and for calls made one by one that is right from "
            f"{words(start.volume)} on."
        )
    if start is not None:
        return f"{measured}, and that is right at every volume measured."
    return f"{measured}, and even there that is not right."


def _narrowed(gains: tuple[Gain, ...], start: Gain | None) -> str:
    """What a run that cannot decide does say: between which volumes bytes begin to be right."""
    smaller = [gain for gain in gains if start is not None and gain.volume < start.volume]
    wrong = list(takewhile(lambda gain: gain.near is False, smaller))
    doubtful = smaller[len(wrong) :]
    if start is None or not wrong or not doubtful or any(g.near is not None for g in doubtful):
        return "This run cannot say from which volume on that is right."
    return (
        f"For calls made one by one that is wrong up to {words(wrong[-1].volume)} and right from "
        f"{words(start.volume)} on; in between this run cannot say."
    )


def behind_graph(evidence: Evidence, bound: Sequence[Gain]) -> Iterable[str]:
    """What one pass one by one has on top of its graph where memory sets the time, if it does."""
    pairs = [
        (call, graph)
        for gain in bound
        for call in evidence.of("fused", volume=gain.volume)
        for graph in evidence.of("fused_graph", volume=gain.volume)
    ]
    if not any(call.median_us > (1 + BEHIND) * graph.median_us for call, graph in pairs):
        return
    yield (
        "Where memory sets the time, one pass takes longer one by one than in a graph: "
        f"{'; '.join(_longer(*pair) for pair in pairs)}. The host's clock also counts what a "
        "sample has once, its first launch and the wait at its end; CUDA events around a graph "
        "do not."
    )


def _longer(call: Case, graph: Case) -> str:
    """`5.2 % at 10 GB, 242 µs in a sample of 2 calls`."""
    more, count = call.median_us - graph.median_us, call.facts.get("calls", 1)
    share = per_cent(more / graph.median_us, 1)
    volume = words(call.at["volume"])
    return f"{share} at {volume}, {more * count:,.0f} µs in a sample of {count} calls"
