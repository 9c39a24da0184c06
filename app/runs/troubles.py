"""What can end a run badly, and the sentence that says so and what to do."""

from dataclasses import dataclass
from datetime import timedelta

from app.domain.running import RunState


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a run ended without a result: a stable kind, a sentence, and the state it leaves."""

    kind: str
    words: str
    state: RunState = RunState.FAILED


def worker_lost() -> Trouble:
    """The worker died or went silent in the middle of the run."""
    return Trouble(
        "worker_lost",
        "The worker stopped in the middle of this run, so what it had measured is incomplete.",
        RunState.INTERRUPTED,
    )


def worker_stopped() -> Trouble:
    """The worker was told to stop in the middle of the run."""
    return Trouble(
        "worker_stopped",
        "The worker was shut down in the middle of this run.",
        RunState.INTERRUPTED,
    )


def past_deadline(limit: timedelta) -> Trouble:
    """The run was still going when its time was up."""
    return Trouble(
        "deadline",
        f"The run was stopped after {_minutes(limit)}, the longest that one may take here.",
        RunState.INTERRUPTED,
    )


def unclaimed(limit: timedelta) -> Trouble:
    """No worker took the run in time."""
    return Trouble(
        "unclaimed",
        f"No worker took this run within {_minutes(limit)}; see that one is running.",
        RunState.INTERRUPTED,
    )


def not_offered(why: str) -> Trouble:
    """What was asked for is there no longer: this version came while the run waited."""
    return Trouble("not_offered", f"This can't be run any longer. {why}")


def worker_failed() -> Trouble:
    """The worker itself made an error."""
    return Trouble("worker_failed", "The worker could not finish this run; its log says why.")


def device_silent() -> Trouble:
    """The device did not answer a probe."""
    return Trouble(
        "device_silent",
        "The device did not answer, so nothing was started on it; the worker's log says more.",
    )


def reported(kind: str, message: str) -> Trouble:
    """The benchmark said itself what was wrong."""
    return Trouble(kind, message)


def bad_output(why: str) -> Trouble:
    """The benchmark printed something that is no valid measurement."""
    return Trouble("bad_output", f"The benchmark's output can't be used: {why}.")


def died(exit_code: int) -> Trouble:
    """The benchmark ended without a result and without saying why."""
    signal = exit_code - 128
    how = f"was killed by signal {signal}" if signal > 0 else f"ended with code {exit_code}"
    return Trouble("died", f"The benchmark {how} without a result; the worker's log says more.")


def _minutes(limit: timedelta) -> str:
    seconds = round(limit.total_seconds())
    return f"{seconds // 60} min" if seconds >= 60 and seconds % 60 == 0 else f"{seconds} s"
