"""Numbers in words: what stands beside a mark, and the labels of an axis with its unit."""

import math
from collections.abc import Sequence
from decimal import Decimal

from app.web.charts.scales import Scale

_PREFIXES = {-9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P"}
_BASES = ("FLOP/s", "FLOPs", "FLOP", "B/s", "Hz", "B", "W", "J", "s")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_CLOSE = ("×", "°")
"""Units that stand close to their number."""


def said(value: float, unit: str = "") -> str:
    """A value to three digits with its unit; a prefix where the digits would be many: 1.23 GB."""
    base, power = _parts(unit)
    if base and value and math.isfinite(value) and not 1e-3 <= abs(value) < 1e6:
        exponent = _thousands(math.log10(abs(value)) + power)
        value, unit = value * 10.0 ** (power - exponent), _PREFIXES[exponent] + base
    return joined(digits(value), unit)


def digits(value: float) -> str:
    """A value to three digits, thousands apart: 0.0123, 2.33, 90.1, 4,036; 1.2×10⁻⁹."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else "–"
    mantissa, _, exponent = f"{value:.2e}".partition("e")
    magnitude = int(exponent)
    if not -5 < magnitude < 9:
        return f"{mantissa}×{raised(magnitude)}"
    return f"{value:,.{max(0, 2 - magnitude)}f}"


def joined(number: str, unit: str) -> str:
    """A number and its unit, which no line end comes between."""
    return number + unit if not unit or unit in _CLOSE else f"{number}\u00a0{unit}"


def raised(exponent: int) -> str:
    """A power of ten: 10⁻³."""
    return "10" + str(exponent).translate(_RAISED)


def labels(scale: Scale, unit: str) -> tuple[tuple[str, ...], str]:
    """The labels of a scale's ticks, each different, and the unit that its title has to say."""
    base, power = _parts(unit)
    if _short(scale.ticks, scale.log):
        return tuple(map(_plain, _even(scale.ticks, scale.log))), unit
    if not scale.log:
        return _scaled(scale.ticks, unit, base, power)
    if base and all(-9 <= _magnitude(tick) + power < 18 for tick in scale.ticks):
        named = tuple(_prefixed(tick, base, power) for tick in scale.ticks)
        return named, "" if len(base) < 3 else base
    return tuple(map(_as_power, scale.ticks)), unit


def _short(ticks: Sequence[Decimal], log: bool) -> bool:
    """Whether the labels are short enough as they are."""
    most = max(abs(tick) for tick in ticks)
    least = ticks[0] if log else ticks[1] - ticks[0]
    return most <= 100_000 and least >= Decimal("0.001")


def _scaled(
    ticks: Sequence[Decimal], unit: str, base: str, power: int
) -> tuple[tuple[str, ...], str]:
    """Even ticks, divided by the power of a thousand that their largest one asks for."""
    largest = max(map(_magnitude, ticks))
    exponent = (largest + power) // 3 * 3
    if base and exponent in _PREFIXES:
        shift, unit = power - exponent, _PREFIXES[exponent] + base
    else:
        exponent = largest // 3 * 3
        shift, unit = -exponent, f"{raised(exponent)} {unit}".strip()
    return tuple(map(_plain, _even([tick.scaleb(shift) for tick in ticks], log=False))), unit


def _even(ticks: Sequence[Decimal], log: bool) -> list[Decimal]:
    """Ticks with as many decimals as they need: the same for all of an even axis."""
    tidy = [tick.normalize() for tick in ticks]
    if log:
        return tidy
    places = max(0, *(-_exponent(tick) for tick in tidy))
    return [tick.quantize(Decimal(1).scaleb(-places)) for tick in tidy]


def _prefixed(tick: Decimal, base: str, power: int) -> str:
    exponent = _thousands(_magnitude(tick) + power)
    number = _plain(tick.scaleb(power - exponent).normalize())
    return f"{number}\u00a0{_PREFIXES[exponent]}{base if len(base) < 3 else ''}".rstrip("\u00a0")


def _as_power(tick: Decimal) -> str:
    magnitude = _magnitude(tick)
    mantissa = _plain(tick.scaleb(-magnitude).normalize())
    return raised(magnitude) if mantissa == "1" else f"{mantissa}×{raised(magnitude)}"


def _plain(tick: Decimal) -> str:
    return f"{tick:,f}".replace("-", "−")


def _thousands(magnitude: float) -> int:
    """The power of a thousand at or below this magnitude, among those with a prefix."""
    return max(-9, min(15, math.floor(magnitude / 3) * 3))


def _magnitude(number: Decimal) -> int:
    return number.adjusted() if number else -400


def _exponent(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


def _parts(unit: str) -> tuple[str, int]:
    """A unit without its prefix, and the prefix's power of ten; ("", 0) where none is known."""
    for base in _BASES:
        for power, prefix in _PREFIXES.items():
            if unit == prefix + base:
                return base, power
    return "", 0
