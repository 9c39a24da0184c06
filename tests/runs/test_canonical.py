"""The canonical form is RFC 8785's: one value, one row of bytes."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.runs.canonical import canonical

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
    max_leaves=20,
)


@pytest.mark.parametrize(
    ("number", "told"),
    [  # the RFC's appendix B, and its neighbours
        (0.0, "0"),
        (-0.0, "0"),
        (5e-324, "5e-324"),
        (-5e-324, "-5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (9007199254740992.0, "9007199254740992"),
        (295147905179352830000.0, "295147905179352830000"),
        (9.999999999999997e22, "9.999999999999997e+22"),
        (1e23, "1e+23"),
        (1e21, "1e+21"),
        (1e20, "100000000000000000000"),
        (999999999999999900000.0, "999999999999999900000"),
        (0.000001, "0.000001"),
        (1e-7, "1e-7"),
        (9.999999999999997e-7, "9.999999999999997e-7"),
        (333333333.33333325, "333333333.33333325"),
        (0.001, "0.001"),
        (100.0, "100"),
        (100, "100"),
        (10**22, "1e+22"),
        (-12.5, "-12.5"),
        (1424953923781206.2, "1424953923781206.2"),
    ],
)
def test_a_number_is_written_as_ecmascript_writes_it(number: float, told: str):
    assert canonical(number).decode() == told


def test_the_rfcs_own_example_has_the_rfcs_own_bytes():
    value = json.loads(
        '{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],'
        r' "string": "\u20ac$\u000F\u000aA\u0027\u0042\u0022\u005c\\\"\/",'
        ' "literals": [null, true, false]}'
    )  # fmt: skip
    assert canonical(value).decode() == (
        '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
        r'"string":"€$\u000f\nA' + "'" + r'B\"\\\\\"/"}'
    )


def test_keys_stand_in_the_order_of_their_utf_16_units():
    keys = ["\r", "1", "\x80", "\xf6", "€", "\U0001f600", "\ufb33"]
    assert list(json.loads(canonical(dict.fromkeys(reversed(keys), 0)))) == keys


@given(JSON)
def test_what_is_read_back_has_the_same_bytes(value: Any):
    told = canonical(value)
    assert canonical(json.loads(told)) == told


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_double_is_read_back_exactly(number: float):
    assert float(canonical(number)) == number


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**400, "\ud800", {"\ud800": 1}])
def test_what_is_no_json_is_refused(value: Any):
    with pytest.raises(ValueError):
        canonical([value])


def test_what_is_nested_too_deep_is_refused():
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(ValueError, match="deep"):
        canonical(value)
