"""JSON in the one form that RFC 8785 (JCS) gives it: what a content hash is taken of.

The same value has the same bytes wherever it was kept: PostgreSQL reorders the keys
of an object and writes 1e+22 out in digits, and neither changes what was measured.
"""

import json
from decimal import Decimal
from math import isfinite
from typing import Any, cast

_EXACT = 2**53
"""From here on a double, which is what a JSON number is, does not hold every integer."""


def canonical(value: Any) -> bytes:
    """`value` as bytes; ValueError for what is no JSON: NaN, infinity, half a surrogate pair."""
    try:
        return _written(value).encode()
    except (OverflowError, RecursionError) as fault:
        raise ValueError("it holds a number too large, or is nested too deep") from fault


def _written(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, dict):
        members = sorted(cast(dict[str, Any], value).items(), key=_by_utf16)
        return "{" + ",".join(f"{_written(k)}:{_written(v)}" for k, v in members) + "}"
    return "[" + ",".join(_written(part) for part in cast(list[Any], value)) + "]"


def _by_utf16(member: tuple[str, Any]) -> bytes:
    return member[0].encode("utf-16-be")


def _number(value: int | float) -> str:
    """The shortest digits that give the double back, placed as ECMAScript places them."""
    if isinstance(value, int) and abs(value) < _EXACT:
        return str(value)
    value = float(value)
    if not isfinite(value):
        raise ValueError(f"JSON has no number {value}")
    if value == 0:
        return "0"
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    shown = "".join(map(str, digits))
    return "-" * sign + _placed(shown, len(shown) + int(exponent))


def _placed(digits: str, point: int) -> str:
    """The digits with the point before the digit number `point`, or an exponent where it is far."""
    if 0 < point <= 21:
        whole, fraction = digits[:point].ljust(point, "0"), digits[point:]
        return f"{whole}.{fraction}" if fraction else whole
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if digits[1:] else ""
    return f"{digits[0]}{fraction}e{point - 1:+d}"
