"""The matrix products of one encoder block, with what they compute and must move.

A feed-forward pair [rows, features] → [rows, 4·features] → [rows, features], the attention's
projections, and QKᵀ of every head, written out as attention without fusion has it.
"""

from dataclasses import dataclass

from kernels.bench.harness import Bench, Timing

HEAD = 64
PADDED_TO = 64
FEED_FORWARD = 4
CAPS = {2: 1e-2, 4: 1e-5}
CHECKED_ROWS = 64


@dataclass(frozen=True, slots=True)
class Product:
    """`count` products [rows, inner] × [inner, columns]."""

    name: str
    rows: int
    inner: int
    columns: int
    count: int = 1

    @property
    def flops(self) -> int:
        """A multiplication and an addition for each term."""
        return 2 * self.count * self.rows * self.inner * self.columns

    def bytes(self, itemsize: int) -> int:
        """Both factors read once, the product written once."""
        rows, inner, columns = self.rows, self.inner, self.columns
        return self.count * itemsize * (rows * inner + inner * columns + rows * columns)


def padded(frames: int) -> int:
    """Frames as attention pads them."""
    return -(-frames // PADDED_TO) * PADDED_TO


def of_block(batch: int, frames: int, features: int) -> tuple[Product, ...]:
    """The products of one encoder block over batch × frames rows."""
    rows, hidden = batch * frames, FEED_FORWARD * features
    return (
        Product("ffn_up", rows, features, hidden),
        Product("ffn_down", rows, hidden, features),
        Product("projection", rows, features, features),
        Product("scores", padded(frames), HEAD, padded(frames), batch * features // HEAD),
    )


def encoder_products(
    bench: Bench, batch: int, frames: int, features: int, device: str = "cuda", dtype=None
) -> list[Timing]:
    """Each product, checked on its first rows, ready to be timed; bfloat16 unless said."""
    dtype = dtype or bench.torch.bfloat16
    products = of_block(batch, frames, features)
    return [_timing(bench, product, device, dtype) for product in products]


def _timing(bench: Bench, product: Product, device: str, dtype) -> Timing:
    torch = bench.torch

    def normal(*shape: int):
        return torch.randn(*shape, device=device, dtype=dtype)

    left = normal(product.count, product.rows, product.inner)
    right = normal(product.count, product.columns, product.inner).transpose(1, 2)
    out = torch.empty(product.count, product.rows, product.columns, device=device, dtype=dtype)
    if product.count == 1:  # a plain product, not a batch of one
        left, right, out = left[0], right[0], out[0]
    multiply = torch.mm if product.count == 1 else torch.bmm
    multiply(left, right, out=out)
    few = (..., slice(0, CHECKED_ROWS), slice(None))
    found, exact = out[few], left[few].double() @ right.double()
    bench.check(product.name, "product", found, exact, CAPS[dtype.itemsize])
    facts = {"flops": product.flops, "bytes": product.bytes(dtype.itemsize)}
    return Timing(product.name, [lambda: (multiply(left, right, out=out),)], facts=facts)
