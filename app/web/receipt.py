"""A run's receipt: the file that holds it whole, and the page that such a file makes by itself."""

from datetime import datetime

from fastapi import APIRouter, HTTPException, Request, Response
from sqlalchemy.orm import Session

from app.runs.conclusions import concluded, draw, events_of
from app.runs.foreign import as_run
from app.runs.receipts import HASHED, Receipt, receipt_of
from app.runs.view import RunView
from app.store.models import Run
from app.web import seen
from app.web.deps import KnownLearner, Reading
from app.web.run_pages import shown
from app.web.static import FOLDER
from app.web.templating import templates

router = APIRouter(prefix="/runs/{run_id}/receipt.json", include_in_schema=False)

SHEETS = ("tokens.css", "app.css", "runs.css", "charts.css")


@router.get("")
def download(request: Request, run_id: str, session: Reading, learner: KnownLearner) -> Response:
    """The receipt of a run that has a result."""
    run = _done(session, run_id)
    receipt = receipt_of(run, events_of(session, run_id))
    seen.note(request, session, learner, [run])
    name = f"ridgepoint-{receipt.experiment}-{receipt.sha256[:12]}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(receipt.as_text(), media_type="application/json", headers=headers)


def _done(session: Session, run_id: str) -> Run:
    run = session.get(Run, run_id)
    if run is None:
        raise HTTPException(404, "There is no such run: the list of runs shows those there are.")
    if concluded(session, run) is None:
        raise HTTPException(404, "A run without a result has no receipt: its page says how it is.")
    return run


def page_of(receipt: Receipt, now: datetime, styles: str | None = None) -> str:
    """One page that shows the receipt's run and needs no server: its styles are in it."""
    return (
        templates()
        .get_template("receipt.html")
        .render(
            **shown(_view(receipt, now), None),
            receipt=receipt,
            hashed=HASHED,
            styles=_styles() if styles is None else styles,
            offline=True,
        )
    )


def _view(receipt: Receipt, now: datetime) -> RunView:
    return RunView(
        version="",
        run=as_run(receipt, now),
        events=receipt.events,
        place=None,
        worker_at_hand=True,
        guesses={},
        recorded=None,
        conclusion=draw(receipt.experiment, receipt.events),
        found=None,
    )


def _styles() -> str:
    return "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in SHEETS)
