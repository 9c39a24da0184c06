"""What a benchmark run can be, apart from any database or process."""

from enum import StrEnum


class RunState(StrEnum):
    """Where a run stands; the last four are final."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    CANCELLED = "cancelled"

    @property
    def final(self) -> bool:
        """Whether nothing more will happen to the run."""
        return self not in (RunState.WAITING, RunState.RUNNING)


class RunSource(StrEnum):
    """Where a run's events came from."""

    LIVE = "live"
    RECORDED = "recorded"
    IMPORTED = "imported"


class RunDevice(StrEnum):
    """What a run needs of the machine that it runs on."""

    GPU = "gpu"
    CPU = "cpu"
