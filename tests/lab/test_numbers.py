"""Whatever is said beside a guess can be worked out again from the numbers below it."""

import re

import pytest

from kernels.lab.conclusion import Number
from tests.lab import test_roofline, test_size
from tests.lab.evidence import concluded as concluded_of
from tests.lab.evidence import result
from tests.lab.recorded import RECORDED, concluded

UNITS = {"kB": 1e3, "MB": 1e6, "GB": 1e9, "GFLOP": 1e9, "TFLOP": 1e12, "µs": 1e-6, "%": 0.01}
NUMBER = re.compile(r"([\d,.]+)(?: × 10(⁹|¹²))?[ \N{NO-BREAK SPACE}]?([kMGT]?B|[GT]?FLOP|µs|%)?")
OPERATIONS = str.maketrans({"÷": "/", "×": "*", "−": "-"})
SLACK = 0.6
"""Units of the last digit shown: half of one is its rounding, the rest that of the inputs."""


def worked_out(inputs: str) -> float | None:
    """What a reader gets who works the inputs out in whole units; None where they are in words."""
    said = re.sub(r"/s\b| instructions a second| at .*", "", inputs.partition(";")[0])
    bare = NUMBER.sub(_plain, said).translate(OPERATIONS)
    bare = re.sub(r"\) µs$|\) MB$", ")", bare)
    return eval(bare, {"max": max}) if re.fullmatch(r"(max|[-+*/(), \de.])+", bare) else None


def _plain(found: re.Match[str]) -> str:
    number, power, unit = found.groups()
    scale = {"⁹": 1e9, "¹²": 1e12}.get(power, 1.0) * UNITS.get(unit or "", 1.0)
    return repr(float(number.replace(",", "")) * scale) + ("," if number.endswith(",") else "")


def agrees(number: Number) -> bool:
    """Whether the inputs give the number in the digits shown, whatever its unit."""
    value = worked_out(number.inputs)
    found = NUMBER.search(number.shown)
    if value is None or not found:
        return True
    digits, _, unit = found.groups()
    scale = UNITS.get(unit or "", 1.0)
    step = scale * 10.0 ** -len(digits.partition(".")[2])
    sign = -1 if number.shown.startswith("−") else 1
    return abs(value - sign * float(digits.replace(",", "")) * scale) <= SLACK * step


@pytest.mark.parametrize("name", RECORDED)
def test_what_is_predicted_and_what_was_measured_show_their_formulas(name):
    said = concluded(name)
    shown = [one for one in said.numbers if one.formula and one.inputs]
    for value in (said.answer.measured, said.answer.predicted):
        if value is not None:
            assert any(one.value == pytest.approx(value, rel=1e-9) for one in shown), value


@pytest.mark.parametrize("name", RECORDED)
def test_a_reader_who_works_a_formula_out_gets_the_number_shown(name):
    assert [one for one in concluded(name).numbers if not agrees(one)] == []


def test_the_rate_of_a_slow_memory_is_shown_in_figures_enough_to_multiply_by():
    rate = {"event": "limit", "copy_gb_per_s": 8.42, "add_gb_per_s": 8.42}
    slow = [rate, *test_size.swept(launches=(18.6, 18.3))[1:]]
    bound = concluded_of("size", *slow).numbers[1]
    assert bound.inputs == "18.3 µs × 8.420 GB/s"
    slow_products = test_roofline.roofline(matmul_us=1e6, slow=1000)
    add = result("peak_add", 25_660.0, flops=1, bytes=300_000_000)  # 11.69 GB/s
    events = [add if e["variant"] == "peak_add" else e for e in slow_products]
    ridge = concluded_of("roofline", *events).numbers[0]
    assert agrees(bound) and agrees(ridge)
