"""What a launch adds to the count of bytes: how its backward works on such rows on this device."""

import math
from dataclasses import replace

from torch import Tensor

from kernels import plans
from kernels.launch import backward_programs
from kernels.prepared import bits
from kernels.traffic import Chain


def launched(chain: Chain, x: Tensor) -> Chain:
    """The chain as its backward is launched on x [rows, features]: programs, and rows read twice.

    A row too long for one program is shared by a team of them where the device has room for
    it, and read twice where it has not.
    """
    features = x.shape[-1]
    how, both = (chain.norm, chain.activation, bits(x.dtype)), (True, True)
    align = math.gcd(features, 16)
    plan = plans.backward(x.device, None, features, x.element_size(), align, how, both, both)
    return replace(chain, programs=backward_programs(x), twice=plan.way == "looped")
