"""Who carries which tensor to and from device memory: the count behind every prediction."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from app.runs.conclusions import UNFOUNDED
from kernels import traffic
from kernels.lab.evidence import Evidence
from kernels.traffic import Chain, Stage

TITLES = {"separate": "Separate kernels", "fused": "One pass"}


@dataclass(frozen=True, slots=True)
class Account:
    """All that one variant moves."""

    title: str
    stages: tuple[Stage, ...]
    tensors: int
    bytes: int


def accounts(evidence: Evidence) -> tuple[Account, ...]:
    """The separate kernels' account, then the fused one's, as this run was counted.

    Empty where the run does not say which chain it was, as a file from elsewhere may not.
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


def _as_counted(chain: Chain, evidence: Evidence, direction: traffic.Direction) -> Chain:
    """The chain with as many programs in its backward as the run's own count tells.

    Each program writes partial sums that another kernel reads, and the run
    prints only the sum of it all.
    """
    one = traffic.total_bytes(replace(chain, programs=1), "fused", direction)
    none = traffic.total_bytes(chain, "fused", direction)
    if one == none:
        return chain
    return replace(chain, programs=(evidence.case("fused").fact("bytes") - none) // (one - none))


def _account(chain: Chain, variant: str, direction: traffic.Direction) -> Account:
    return Account(
        TITLES[variant],
        traffic.ledger(chain, variant, direction),
        traffic.tensor_transfers(chain, variant, direction),
        traffic.total_bytes(chain, variant, direction),
    )
