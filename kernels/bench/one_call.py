"""What else is read of a call on the GPU: the host's time, wall time, memory, launches."""

import time
import warnings
from collections.abc import Callable

import torch

HOST_CALLS = 50
_SPIN_CYCLES = 60_000_000  # about 35 ms, more than HOST_CALLS calls take to issue


def wall_us(call: Callable[[], object], count: int) -> float:
    """Microseconds a call by the host's clock: `count` in a row and the wait for the GPU."""
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(count):
        call()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) * 1e6 / count


def host_us(call: Callable[[], object]) -> float:
    """Microseconds that the host needs to issue one call.

    The GPU spins meanwhile, so that every call finds it busy and none waits for it: the
    queue takes all HOST_CALLS, and their memory is there from a call before.
    """
    call()
    torch.cuda.synchronize()
    torch.cuda._sleep(_SPIN_CYCLES)
    start = time.perf_counter()
    for _ in range(HOST_CALLS):
        call()
    elapsed = time.perf_counter() - start
    torch.cuda.synchronize()
    return elapsed / HOST_CALLS * 1e6


def peak_bytes(call: Callable[[], object]) -> int:
    """Device memory that one call needs on top of what is there, its outputs included."""
    torch.cuda.synchronize()
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    call()
    torch.cuda.synchronize()
    return torch.cuda.max_memory_allocated() - before


def launches(call: Callable[[], object]) -> int | None:
    """Kernels that one call starts, as the profiler saw them; None where it saw nothing."""
    from torch.profiler import ProfilerActivity, profile

    torch.cuda.synchronize()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with profile(activities=[ProfilerActivity.CUDA]) as seen:
                call()
                torch.cuda.synchronize()
    except RuntimeError:
        return None
    kernels = [e for e in seen.events() if e.device_type == torch.autograd.DeviceType.CUDA]
    return len(kernels) or None
