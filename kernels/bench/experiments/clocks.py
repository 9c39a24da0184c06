"""How fast the multiprocessors can issue: the clock as measured, and what a clock gives."""

SPIN_CYCLES = 20_000_000  # about 10 ms
LANES_A_CLOCK = 4 * 32
"""Lane-instructions that a multiprocessor issues each clock: four schedulers, one warp of 32
each (CUDA's tuning guides, Volta to Blackwell)."""


def clock_hz(torch) -> float:
    """The multiprocessors' clock: cycles that a kernel spins, over the time that it takes."""
    torch.cuda._sleep(SPIN_CYCLES)
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    torch.cuda._sleep(SPIN_CYCLES)
    end.record()
    torch.cuda.synchronize()
    return round(SPIN_CYCLES / (start.elapsed_time(end) * 1e-3), -5)
