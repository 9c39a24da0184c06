"""Two products after one another, y = between(x·W₁)·W₂: what each way moves and works out.

x is [rows, features], W₁ [features, hidden], W₂ [hidden, features]; h = x·W₁ is the
intermediate. *Apart*, h goes to memory and comes back. *Fused*, a program keeps a tile of h on
the chip and adds its part to `columns` columns of y; where y has more columns than that, each
further block of them needs h again, and so works it out again. Standard library only.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Products:
    """What is counted; `itemsize` bytes an element, `passes` over h between the products."""

    rows: int
    features: int
    hidden: int
    columns: int
    itemsize: int = 2
    passes: int = 0

    @property
    def times_h(self) -> int:
        """How many times the fused kernel works h out: once for each block of columns."""
        return -(-self.features // self.columns)

    @property
    def flops(self) -> int:
        """Apart: two operations for each multiplication and addition, twice."""
        return 4 * self.rows * self.features * self.hidden

    @property
    def flops_fused(self) -> int:
        """The second product once, the first as often as h is worked out."""
        return self.flops // 2 * (self.times_h + 1)

    @property
    def intermediate_bytes(self) -> int:
        """What h costs apart: written and read, and again by a pass between the products."""
        return 2 * (1 + self.passes) * self.rows * self.hidden * self.itemsize

    @property
    def bytes_fused(self) -> int:
        """x, y and both weights, once each: the least that any way moves."""
        return 2 * self.features * (self.rows + self.hidden) * self.itemsize

    @property
    def bytes(self) -> int:
        """Apart: the least, and the intermediate."""
        return self.bytes_fused + self.intermediate_bytes

    @property
    def intermediate_share(self) -> float:
        """The intermediate's part of the bytes that the products apart move."""
        return self.intermediate_bytes / self.bytes

    def l2_bytes(self, block_rows: int, block_hidden: int) -> int:
        """What the fused kernel's programs read from L2: weights for every block of rows.

        x is read once for a program where it holds a whole row of it, else for each tile of h.
        """
        programs = -(-self.rows // block_rows) * self.times_h
        weights = self.features * self.hidden + self.hidden * self.columns
        tiles = 1 if self.times_h == 1 else -(-self.hidden // block_hidden)
        return programs * (weights + tiles * block_rows * self.features) * self.itemsize

    def seconds_apart(self, flops_per_s: float, bytes_per_s: float) -> float:
        """The least time: each product bound by arithmetic or by bytes, then the pass between."""
        moved = self.bytes_fused // 2 + self.rows * self.hidden * self.itemsize
        product = max(self.flops / 2 / flops_per_s, moved / bytes_per_s)
        between = 2 * self.passes * self.rows * self.hidden * self.itemsize
        return 2 * product + between / bytes_per_s

    def seconds_fused(self, flops_per_s: float, bytes_per_s: float) -> float:
        """The least time of the one kernel, the repeated work counted."""
        return max(self.flops_fused / flops_per_s, self.bytes_fused / bytes_per_s)
