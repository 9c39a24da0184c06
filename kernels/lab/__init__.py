"""The experiments: what each one claims, asks and concludes. Standard library only.

The programs that measure are in kernels/bench; the pages and the programs draw the
same conclusions, from the same functions, of the same events. An experiment is a
module of its own here whose `EXPERIMENT` stands in the list below, in the order shown.
"""

from kernels.lab import (
    activation,
    backward,
    broken,
    chain,
    flops,
    idle,
    matmuls,
    roofline,
    share,
    size,
    width,
)
from kernels.lab.experiment import Experiment

EXPERIMENTS: dict[str, Experiment] = {
    module.EXPERIMENT.name: module.EXPERIMENT
    for module in (
        chain,
        flops,
        roofline,
        share,
        matmuls,
        width,
        size,
        activation,
        backward,
        idle,
        broken,
    )
}
