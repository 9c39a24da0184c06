"""A measured case as a line of the table of limits."""

from kernels.bench.bars import Measured, bar_of, case_name
from kernels.bench.cases import DIRECTIONS

COLUMNS = ("separate", "eager", "compiled", "liger")


def line(measured: Measured) -> str:
    """A case's line in the table."""
    r = measured.request
    peers = [measured.faster_than(name) for name in COLUMNS]
    bar = f"{bar_of(r):7.2f}" if r.direction in DIRECTIONS else " " * 7
    missed = r.direction in DIRECTIONS and measured.share < bar_of(r)
    return (
        f"{case_name(r):<34}{measured.us['fused']:9.1f}{measured.share:8.3f}{bar}  "
        + "  ".join(" " * 8 if ratio is None else f"{ratio:8.2f}" for ratio in peers)
        + (" " * 11 if measured.error is None else f"  {measured.error:9.1e}")
        + ("  missed" if missed else "")
    )


HEAD = (
    f"{'case':<34}{'µs':>9}{'share':>8}{'bar':>7}  "
    + "  ".join(f"{'× ' + name[:6]:>8}" for name in COLUMNS)
    + f"  {'error':>9}"
)
