"""How a learner's guesses stand against what was measured: how far off, which way, over time."""

from collections.abc import Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request, Response

from app.domain import guess as guessing
from app.domain.calibration import Held, calibration
from app.domain.wording import title_of
from app.runs import guesses
from app.runs.guesses import Answered
from app.web.deps import KnownLearner, Now, Reading
from app.web.pages import page
from kernels.lab import EXPERIMENTS
from kernels.lab.experiment import Kind
from kernels.lab.pictures import Axis, Mark, Plot, Point, Role, Series

router = APIRouter(include_in_schema=False)

TRENDS = 2
"""So many ratios make a picture over time."""

USUALLY = 3
"""Of fewer ratios nothing is said of which way they lean."""


@dataclass(frozen=True, slots=True)
class Row:
    """One guess in the table; `held` where it was a number, `met` whether it was what was found."""

    one: Answered
    title: str
    said: str
    found: str
    held: Held | None
    met: bool | None


@router.get("/calibration")
def show_calibration(
    request: Request, session: Reading, learner: KnownLearner, now: Now
) -> Response:
    """All of the learner's guesses with what was measured, and what they say together.

    One made after a result of the same was shown is told, and counts in no figure.
    """
    answered = guesses.answered(session, learner.id) if learner else []
    rows = [row for one in answered if (row := _row(one)) is not None]
    counted = [row for row in rows if not row.one.guess.after_seeing]
    held = [row.held for row in counted if row.held]
    others = [row for row in counted if not row.held]
    return page(
        request,
        "calibration.html",
        rows=rows[::-1],
        all_in_all=calibration(held),
        others=others,
        late=len(rows) - len(counted),
        enough=sum(one.ratio is not None for one in held) >= USUALLY,
        picture=_picture(held),
        most=guesses.MANY,
        now=now,
    )


def _row(one: Answered) -> Row | None:
    """The guess in words; None where the run has nothing to hold it against."""
    experiment = EXPERIMENTS[one.run.experiment]
    kind, answer = experiment.question.kind, one.answer
    title = f"{experiment.title}: {title_of(experiment, one.run.parameters)}"
    if kind is Kind.MATCH:
        return _matched(one, title)
    said = guessing.in_words(experiment.question, one.guess)
    held = _held(one)
    if held is not None:
        return Row(one, title, said, guessing.told(kind, held.measured), held, held.inside)
    if one.guess.choice is None or answer.choice is None:
        return None
    found = guessing.in_words(experiment.question, guessing.Guess(choice=answer.choice))
    return Row(one, title, said, found, None, one.guess.choice == answer.choice)


def _held(one: Answered) -> Held | None:
    low, high, answer = one.guess.low, one.guess.high, one.answer
    if low is None or high is None or answer.measured is None:
        return None
    within = (answer.low, answer.high)
    ends = [answer.measured if end is None else end for end in within]
    return Held(low, high, answer.measured, *ends)


def _matched(one: Answered, title: str) -> Row | None:
    said, was = one.guess.matches or {}, dict(one.answer.matches)
    if not said:
        return None  # 'just show me'
    same = sum(said.get(item) == option for item, option in was.items())
    told = f"{same} of {len(was)} as {'it was' if same == 1 else 'they were'}"
    return Row(one, title, f"{len(said)} of {len(was)} matched", told, None, same == len(was))


def _picture(held: Sequence[Held]) -> Plot | None:
    told = list(enumerate((one for one in held if one.ratio is not None), start=1))
    if len(told) < TRENDS:
        return None
    return Plot(
        "Your guesses over what was measured",
        Axis("guess, in the order made", whole=True),
        Axis("guess ÷ measured", log=True),
        tuple(
            Series(name, points, role, joined=False)
            for name, inside, role in _SORTS
            if (points := tuple(_point(*pair) for pair in told if pair[1].inside is inside))
        ),
        marks=(Mark(1.0, "as measured"),),
        caption="Above the line is too high. A point is the middle of a range, its line the range.",
    )


_SORTS: tuple[tuple[str, bool, Role], ...] = (
    ("inside your range", True, "one"),
    ("outside", False, "many"),
)


def _point(place: int, one: Held) -> Point:
    return Point(place, one.ratio or 1.0, one.low / one.measured, one.high / one.measured)
