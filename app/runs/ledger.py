"""Who carries which tensor to and from device memory: the count behind every prediction."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from app.runs.conclusions import UNFOUNDED
from kernels import traffic
from kernels.lab.evidence import Evidence
from kernels.traffic import Chain, Direction, Stage

TITLES = {"separate": "Separate kernels", "fused": "One pass"}

READ_ONCE = 8192
"""Features up to which one program holds a row; a device without room for a team reads longer
ones twice in the backward."""


@dataclass(frozen=True, slots=True)
class Account:
    """All that one variant moves."""

    title: str
    stages: tuple[Stage, ...]
    tensors: int
    bytes: int


def accounts(evidence: Evidence) -> tuple[Account, ...]:
    """The separate kernels' account, then the fused one's, as this run was counted.

    Empty where the run does not say which chain it was, or counted what no launch of it moves,
    as a file from elsewhere may.
    """
    try:
        direction = evidence.parameters["direction"]
        chain = _as_counted(_chain(evidence.parameters), evidence, direction)
        return tuple(_account(chain, name, direction) for name in TITLES)
    except UNFOUNDED:
        return ()


def _chain(parameters: Mapping[str, Any]) -> Chain:
    names = ("rows", "features", "dtype", "norm", "activation")
    return Chain(**{name: parameters[name] for name in names}, programs=0)


def _as_counted(chain: Chain, evidence: Evidence, direction: Direction) -> Chain:
    """The chain as the run's own count tells it: its backward's programs, and rows read twice.

    Each program writes partial sums that another kernel reads, and the run prints only the
    sum of it all. A long row read twice that is taken for one read once leaves no whole number
    of programs, or hundreds more than such rows are given.
    """
    counted = evidence.case("fused").fact("bytes")
    readings = (True, False) if chain.features > READ_ONCE else (False,)
    for read in (replace(chain, twice=twice) for twice in readings):
        none = traffic.total_bytes(read, "fused", direction)
        a_program = traffic.total_bytes(replace(read, programs=1), "fused", direction) - none
        if not a_program:
            return read
        programs, rest = divmod(counted - none, a_program)
        if programs > 0 and not rest:
            return replace(read, programs=programs)
    raise ValueError("no launch moves as many bytes as the run counted")


def _account(chain: Chain, variant: str, direction: traffic.Direction) -> Account:
    return Account(
        TITLES[variant],
        traffic.ledger(chain, variant, direction),
        traffic.tensor_transfers(chain, variant, direction),
        traffic.total_bytes(chain, variant, direction),
    )
