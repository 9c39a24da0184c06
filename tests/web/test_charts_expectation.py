"""The picture of what was expected beside what was measured."""

from app.web.charts import drawn_expectation
from kernels.lab.conclusion import Answer
from tests.web.drawn_pictures import rendered


def test_an_expectation_shows_guess_theory_and_measurement_in_words_and_marks():
    answer = Answer(2.29, 2.26, 2.31, "95 % of resamplings", 7 / 3, "bytes", p10=2.2, p90=2.4)
    made = drawn_expectation(answer, 2, 3)
    assert made
    assert made.data.rows == (
        ("You said", "2–3×"),
        ("Predicted by bytes", "2.33×"),
        ("Measured", "2.29× (2.26–2.31×)"),
        ("p10–p90 of the rounds", "2.20–2.40×"),
    )
    kinds = {path.kind for path in made.drawings[0].paths}
    assert {"guess", "spread", "known", "point one", "point theory stroked"} <= kinds
    assert "thin line spans p10 to p90 of the rounds, the thick one 95 % of" in made.caption


def test_an_expectation_without_a_guess_or_theory_shows_the_measurement_alone():
    made = drawn_expectation(Answer(6.4, -0.5, 9.1), unit="%")
    assert made
    assert "spread" not in {path.kind for path in made.drawings[0].paths}
    assert made.data.rows == (("Measured", "6.4\u00a0% (−0.5 to 9.1\u00a0%)"),)


def test_no_change_has_no_sign():
    made = drawn_expectation(Answer(measured=-0.03, low=-0.6, high=0.3), None, None, "%")
    assert made is not None
    assert made.data.rows == (("Measured", "0.0\u00a0% (−0.6 to 0.3\u00a0%)"),)


def test_an_answer_that_is_no_number_has_no_picture():
    assert drawn_expectation(Answer(choice="memory"), 1, 2) is None
    assert rendered("{{ expectation(a, 1, 2) }}", a=Answer(choice="memory")).strip() == ""
