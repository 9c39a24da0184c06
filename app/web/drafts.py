"""The draft of an attempt: kept as it is typed, the same in every tab and on every device."""

from typing import Annotated

from fastapi import APIRouter, Header, HTTPException, Response
from fastapi.responses import JSONResponse

from app.store import answers
from app.store.answers import AlreadyEnded
from app.store.models import is_open
from app.web.attempts import SeenVersion, TypedText, typed
from app.web.deps import AppSettings, Changing, Now
from app.web.own_attempt import OwnAttempt, OwnAttemptToChange, card_of
from app.web.pages import see_other

router = APIRouter(prefix="/attempts/{attempt_id}/draft", include_in_schema=False)


@router.get("")
def read(attempt: OwnAttempt) -> Response:
    """The draft as it is kept, and its version, for a tab that wants to know of another's."""
    return JSONResponse(
        {
            "text": attempt.draft,
            "version": answers.draft_version(attempt),
            "open": is_open(attempt),
        }
    )


@router.put("")
@router.post("")
def save(
    attempt: OwnAttemptToChange,
    session: Changing,
    settings: AppSettings,
    now: Now,
    text: TypedText,
    seen: SeenVersion = "",
    accept: Annotated[str, Header()] = "",
) -> Response:
    """Keep what was typed. The newest text wins; what it replaced from elsewhere comes back."""
    try:
        saved = answers.save_draft(attempt, typed(text, settings), seen, now)
    except AlreadyEnded as ended:
        raise HTTPException(409, f"{ended} Copy your text if you need it.") from None
    session.commit()
    if "application/json" not in accept:
        return see_other(f"/questions/{card_of(session, attempt).slug}#answer")
    version = answers.draft_version(attempt)
    return JSONResponse({"version": version, "replaced": saved.replaced})
