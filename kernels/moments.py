"""A tile of rows normalised: its rows' means and variances, without losing digits to either.

Not E[x²] − E[x]², which loses all digits at a large mean. A row that one warp holds
has its mean first and the squares of the differences next, by shuffles within the
warp. Where several warps share a row, each sum is an exchange through shared memory
with all warps waiting, so there one has to do: every lane takes the mean and the
variance of its own values, about that mean, and those are merged pair by pair.
"""

import triton
import triton.language as tl

from kernels.intrinsics import PLAIN
from kernels.tiles import inside, sum_row, sum_two, total

LANE = tl.constexpr(8)  # values side by side in one lane: 16 bytes of 16-bit numbers
_ONE_WARP = 32 * 8  # columns of a part that one warp holds
_MOST = 8 * _ONE_WARP


@triton.constexpr_function
def _by_one_exchange(features: int, width: int, parts: int, refined: bool) -> bool:
    """Whether that is faster and possible: every lane's share must be as large as the others'.

    Rows of 16 warps gain nothing (16384 features: 0.91 of the limit, where two sums had 0.94).
    """
    return not refined and _ONE_WARP < width <= _MOST and width * parts == features


@triton.jit
def standardized(
    parts, eps, NORM: tl.constexpr, FEATURES: tl.constexpr, WIDTH: tl.constexpr,
    PARTS: tl.constexpr, REFINE: tl.constexpr,
):  # fmt: skip
    """((x − mean)/std, PARTS × [ROWS, WIDTH]; 1/std and mean, [ROWS, 1] each; for "rms" x/rms).

    REFINE takes the mean of the differences off once more. It matters where x has the
    digits to hold small values around a large mean, which is float32 only: the rounding
    of a sum of 769 values near 2000 alone shifts the mean by 8e-5.
    """
    if NORM == "rms":
        square = tl.sum(_squares(parts, PARTS), axis=1, keep_dims=True)
        rstd = tl.rsqrt(square * (1.0 / FEATURES) + eps)
        mean = tl.zeros_like(rstd)
        parts = _times(parts, rstd, PARTS)
    elif _by_one_exchange(FEATURES, WIDTH, PARTS, REFINE):
        parts, rstd, mean = _merged(parts, eps, WIDTH, PARTS)
    else:
        parts, rstd, mean = _centered(parts, eps, FEATURES, WIDTH, PARTS, REFINE)
    return parts, rstd, mean


@triton.jit
def _centered(
    parts, eps, FEATURES: tl.constexpr, WIDTH: tl.constexpr, PARTS: tl.constexpr,
    REFINE: tl.constexpr,
):  # fmt: skip
    mean = sum_row(parts, PARTS) * (1.0 / FEATURES)
    parts = _less(parts, mean, FEATURES, WIDTH, PARTS)
    if REFINE:
        # The rest is so small that here E[d²] − E[d]² loses nothing; one exchange gives both.
        rest, square = sum_two(total(parts, PARTS), _squares(parts, PARTS), 1)
        rest *= 1.0 / FEATURES
        variance = tl.maximum(square * (1.0 / FEATURES) - rest * rest, 0.0)
        parts = _less(parts, rest, FEATURES, WIDTH, PARTS)
        mean += rest
    else:
        square = tl.sum(_squares(parts, PARTS), axis=1, keep_dims=True)
        variance = square * (1.0 / FEATURES)
    rstd = tl.rsqrt(variance + eps)
    return _times(parts, rstd, PARTS), rstd, mean


@triton.jit
def _merged(parts, eps, WIDTH: tl.constexpr, PARTS: tl.constexpr):
    """As _centered; the lanes' own differences are brought to the row's mean as they are scaled."""
    ROWS: tl.constexpr = parts[0].shape[0]
    LANES: tl.constexpr = WIDTH // LANE
    SHARE: tl.constexpr = 1.0 / (LANE * PARTS)
    sums = tl.zeros((ROWS, LANES), tl.float32)
    cut = ()
    for part in tl.static_range(PARTS):
        cut = cut + (tl.reshape(parts[part], (ROWS, LANES, LANE)),)
        sums += tl.sum(cut[part], axis=2)
    own = sums * SHARE
    squares = tl.zeros((ROWS, LANES), tl.float32)
    less = ()
    for part in tl.static_range(PARTS):
        less = less + (cut[part] - own[:, :, None],)
        squares += tl.sum(less[part] * less[part], axis=2)
    mean, variance = _merge_all(own, squares * SHARE)
    rstd = tl.rsqrt(variance + eps)
    shift = ((own - mean) * rstd)[:, :, None]
    normed = ()
    for part in tl.static_range(PARTS):
        moved = less[part] * rstd[:, :, None] + shift
        normed = normed + (tl.reshape(moved, (ROWS, WIDTH)),)
    return normed, rstd, mean


@triton.jit
def _merge_all(mean, variance):
    """The mean and the variance, [ROWS, 1], of sets of equally many numbers, from [ROWS, sets]."""
    if PLAIN:  # the interpreter's own sum is faster by far
        SETS: tl.constexpr = mean.shape[1]
        every = tl.sum(mean, axis=1, keep_dims=True) * (1.0 / SETS)
        away = mean - every
        variance = tl.sum(variance + away * away, axis=1, keep_dims=True) * (1.0 / SETS)
        mean = every
    else:
        mean, variance = tl.reduce((mean, variance), 1, _merge, keep_dims=True)
    return mean, variance


@triton.jit
def _merge(mean, variance, mean_too, variance_too):
    apart = mean - mean_too
    return (mean + mean_too) * 0.5, (variance + variance_too) * 0.5 + apart * apart * 0.25


@triton.jit
def _less(parts, shift, FEATURES: tl.constexpr, WIDTH: tl.constexpr, PARTS: tl.constexpr):
    """A tile less `shift` [ROWS, 1]; zero in the lanes past the last feature."""
    shifted = ()
    for part in tl.static_range(PARTS):
        difference = parts[part] - shift
        if (part + 1) * WIDTH > FEATURES:
            difference = tl.where(inside(part, FEATURES, WIDTH), difference, 0.0)
        shifted = shifted + (difference,)
    return shifted


@triton.jit
def _times(parts, factor, PARTS: tl.constexpr):
    """A tile times `factor` [ROWS, 1]."""
    scaled = ()
    for part in tl.static_range(PARTS):
        scaled = scaled + (parts[part] * factor,)
    return scaled


@triton.jit
def _squares(parts, PARTS: tl.constexpr):
    """The sum of the squares of a tile's parts, as [ROWS, WIDTH]."""
    added = parts[0] * parts[0]
    for part in tl.static_range(1, PARTS):
        added += parts[part] * parts[part]
    return added
