"""Whatever is said beside a guess can be worked out again from the numbers below it."""

import pytest

from tests.lab.recorded import RECORDED, concluded


@pytest.mark.parametrize("name", RECORDED)
def test_what_is_predicted_and_what_was_measured_show_their_formulas(name):
    said = concluded(name)
    shown = [one for one in said.numbers if one.formula and one.inputs]
    for value in (said.answer.measured, said.answer.predicted):
        if value is not None:
            assert any(one.value == pytest.approx(value, rel=1e-9) for one in shown), value
