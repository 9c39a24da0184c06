"""The size experiment's sentence."""

from itertools import takewhile

from kernels.lab.conclusion import Outcome
from kernels.lab.evidence import Evidence
from kernels.lab.gains import Gain
from kernels.lab.size_pictures import words


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
