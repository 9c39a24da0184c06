"""The chain's ledger to be filled in: how many tensors each kernel reads and writes, and why.

Nothing of it is kept: what was filled in stands in the form alone.
"""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from app.domain import ledger_check
from app.domain.ledger_quiz import Blanks, Direction, quiz
from app.web.filled import FilledForm
from app.web.pages import page

router = APIRouter(prefix="/experiments/chain/ledger", include_in_schema=False)

Way = Annotated[Direction, Query()]
HowMany = Annotated[Blanks, Query()]


@router.get("")
def form(request: Request, direction: Way = "forward", blanks: HowMany = "some") -> Response:
    """The ledger with its blanks."""
    return _shown(request, direction, blanks, None)


@router.post("")
def check(
    request: Request, filled: FilledForm, direction: Way = "forward", blanks: HowMany = "some"
) -> Response:
    """The same, with a word on each blank that was filled in."""
    return _shown(request, direction, blanks, filled)


def _shown(
    request: Request, direction: Direction, blanks: Blanks, filled: FilledForm | None
) -> Response:
    asked = quiz(direction, blanks)
    verdicts = ledger_check.check(asked, filled.fields) if filled else ()
    return page(
        request,
        "ledger.html",
        part="_ledger.html",
        quiz=asked,
        blanks=blanks,
        verdicts={verdict.cell.id: verdict for verdict in verdicts},
        sentence=ledger_check.sentence(verdicts) if filled else "",
        holds=bool(verdicts) and all(verdict.state == "holds" for verdict in verdicts),
    )
