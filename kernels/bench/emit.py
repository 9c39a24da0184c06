"""Printing events, and turning whatever goes wrong into the last one."""

import json
import os
import signal
import sys
from collections.abc import Callable
from typing import NoReturn

from kernels.bench.protocol import check_event


class Failure(Exception):
    """A run that cannot go on: a kind of ERROR_KINDS and one sentence for a person."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def emit(event: str, **fields) -> None:
    """Print one event at once; NaN or infinity in it is a fault of the program."""
    whole = {"event": event, **fields}
    check_event(whole)
    print(json.dumps(whole, allow_nan=False, ensure_ascii=False), flush=True)


class Progress:
    """Counts steps out of a total known from the start."""

    def __init__(self, of: int, doing: str = "loading PyTorch") -> None:
        self.done, self.of = 0, of
        emit("progress", done=0, of=of, doing=doing)

    def step(self, doing: str) -> None:
        """One step is done; `doing` says which."""
        self.done = min(self.done + 1, self.of)
        emit("progress", done=self.done, of=self.of, doing=doing)


def guarded(work: Callable[[], None]) -> int:
    """Run `work`; the exit code. An error becomes an event, and SIGTERM ends it cleanly."""
    before = signal.signal(signal.SIGTERM, _stop)
    try:
        work()
    except Failure as failure:
        return _fail(failure.kind, str(failure), 1)
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except Exception as fault:
        return _fail(*_classify(fault), 1)
    finally:
        signal.signal(signal.SIGTERM, before)
    return 0


def _stop(*_) -> NoReturn:
    """End at once: an exception raised here could be swallowed in an import or a callback."""
    last = {"event": "error", "kind": "stopped", "message": "The run was told to stop."}
    os.write(sys.stdout.fileno(), json.dumps(last).encode() + b"\n")
    os._exit(128 + signal.SIGTERM)


def _fail(kind: str, message: str, code: int) -> int:
    emit("error", kind=kind, message=message)
    return code


def _classify(fault: Exception) -> tuple[str, str]:
    if type(fault).__name__ == "OutOfMemoryError":
        return "out_of_memory", "The GPU has too little free memory for this shape: take less."
    text = " ".join(str(fault).split())
    if "driver" in text and ("too old" in text or "insufficient" in text):
        return "driver_too_old", f"The NVIDIA driver is too old for this PyTorch: {text[:200]}"
    return "failed", f"The benchmark failed: {type(fault).__name__}: {text[:300]}"
