"""Pictures made on the server: from what an experiment shows to what a template draws.

Each is worked out once for a wide and once for a narrow page, so that letters keep their size
and labels stay apart on both; the style sheet shows the one that fits. All is in the units of
the drawing; colours, dashes and weights are the style sheet's.
"""

from dataclasses import dataclass
from functools import lru_cache

from app.web.charts.bars import draw_bars
from app.web.charts.drawing import SIZES, Drawing
from app.web.charts.expectation import draw_expectation
from app.web.charts.plot import draw_plot
from app.web.charts.tables import (
    Data,
    data_of_bars,
    data_of_expectation,
    data_of_plot,
    told_bars,
    told_plot,
)
from kernels.lab.conclusion import Answer
from kernels.lab.pictures import Bars, Plot


@dataclass(frozen=True, slots=True)
class Drawn:
    """One picture: its drawings, what they show in words, its numbers."""

    title: str
    told: str
    caption: str
    drawings: tuple[Drawing, ...]
    data: Data


@lru_cache(maxsize=256)
def drawn(picture: Bars | Plot) -> Drawn:
    """A picture of an experiment, drawn."""
    if isinstance(picture, Bars):
        drawings = tuple(draw_bars(picture, size) for size in SIZES)
        told, data = told_bars(picture), data_of_bars(picture)
    else:
        drawings = tuple(draw_plot(picture, size) for size in SIZES)
        told, data = told_plot(picture), data_of_plot(picture)
    return Drawn(picture.title, told, picture.caption, drawings, data)


def drawn_expectation(
    answer: Answer, low: float | None = None, high: float | None = None, unit: str = "×"
) -> Drawn | None:
    """What was expected, predicted and measured, drawn; None where no number was measured."""
    unit = unit.strip()
    made = (draw_expectation(answer, low, high, unit, size) for size in SIZES)
    drawings = tuple(drawing for drawing in made if drawing)
    data = data_of_expectation(answer, low, high, unit)
    if not drawings:
        return None
    told = ". ".join(": ".join(row) for row in data.rows) + "."
    guess = "The band is what you said. " if low is not None else ""
    theory = "The cross is what was predicted. " if answer.predicted is not None else ""
    caption = f"{guess}{theory}The disc is what was measured{_spans(answer)}."
    return Drawn("Expected, predicted, measured", told, caption, drawings, data)


def _spans(answer: Answer) -> str:
    """What its two lines span, if they are there."""
    rounds = "the thin line spans p10 to p90 of the rounds" if answer.p10 is not None else ""
    known = f"the thick one {answer.interval}" if answer.interval else ""
    if not rounds and known:
        known = f"the thick line spans {answer.interval}"
    said = ", ".join(part for part in (rounds, known) if part)
    return f"; {said}" if said else ""
