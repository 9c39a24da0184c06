"""An attempt from its first word to its check: answer, own view, check, giving up."""

from typing import Annotated

from fastapi import APIRouter, Depends, Form, HTTPException, Request, Response

from app.domain.card import Card
from app.domain.practice import Sureness, as_kept
from app.settings import Settings
from app.store import answers, findings
from app.store.models import Attempt, is_open
from app.web.checks import check_attempt
from app.web.deps import AppSettings, Changing, Now
from app.web.own_attempt import FromRecord, OwnAttemptToChange, address_of, card_of
from app.web.pages import see_other

router = APIRouter(prefix="/attempts/{attempt_id}", include_in_schema=False)

NOT_HANDED_IN = "This attempt has no answer yet: hand one in first."
GIVEN_UP = "This attempt was given up, so it takes no answer: your text is kept in the history."
NO_TEXT = "The text itself was missing, so nothing was changed: send it from the question's page."


async def _typed_text(request: Request) -> str:
    """The form's `text`. One without it is refused: taken for empty, it would wipe a draft."""
    text = (await request.form()).get("text")
    if not isinstance(text, str):
        raise HTTPException(422, NO_TEXT)
    return text


TypedText = Annotated[str, Depends(_typed_text)]
SeenVersion = Annotated[str, Form()]


@router.post("/answer")
def hand_in(
    request: Request,
    attempt: OwnAttemptToChange,
    session: Changing,
    settings: AppSettings,
    now: Now,
    text: TypedText,
    seen: SeenVersion = "",
) -> Response:
    """Keep the answer, then check it; one that comes too late changes nothing and loses nothing."""
    answer = typed(text, settings)
    card = card_of(session, attempt)
    if not is_open(attempt):
        answers.keep_beside(attempt, answer)
        session.commit()
        if attempt.handed_in_at is None:
            raise HTTPException(409, GIVEN_UP)
        return _to_card(card, "own-view")
    answers.hand_in(attempt, answer, seen, now)
    check_attempt(session, request.app.state.checks, attempt, card, now)
    return _to_card(card, "own-view")


@router.post("/check")
def check_again(
    request: Request,
    attempt: OwnAttemptToChange,
    session: Changing,
    now: Now,
    from_record: FromRecord = False,
) -> Response:
    """Check the answer again: after trouble, or by a card that has changed since."""
    _must_be_handed_in(attempt)
    card = card_of(session, attempt)
    check_attempt(session, request.app.state.checks, attempt, card, now)
    return see_other(address_of(attempt, card, "result", from_record=from_record))


@router.post("/review")
def review(
    attempt: OwnAttemptToChange,
    session: Changing,
    now: Now,
    claimed: Annotated[list[str] | None, Form()] = None,
    sureness: Annotated[Sureness | None, Form()] = None,
    from_record: FromRecord = False,
) -> Response:
    """Keep the learner's own view, after which the check is shown."""
    _must_be_handed_in(attempt)
    card = card_of(session, attempt)
    ticked = set(claimed or [])
    if strangers := ticked - {point.id for point in card.key_points}:
        raise HTTPException(422, f"This question has no point {min(strangers)!r} to tick.")
    in_order = [point.id for point in card.key_points if point.id in ticked]
    findings.review(attempt, in_order, sureness, now)
    session.commit()
    return see_other(address_of(attempt, card, "result", from_record=from_record))


@router.post("/review/withdrawal")
def withdraw_review(
    attempt: OwnAttemptToChange, session: Changing, from_record: FromRecord = False
) -> Response:
    """Take the own view back, exactly: the page asks for it anew."""
    findings.withdraw_review(attempt)
    session.commit()
    card = card_of(session, attempt)
    return see_other(address_of(attempt, card, "own-view", from_record=from_record))


@router.post("/abandonment")
def give_up(attempt: OwnAttemptToChange, session: Changing, now: Now) -> Response:
    """End the attempt without an answer; its draft stays in the history."""
    answers.abandon(attempt, now)
    session.commit()
    return _to_card(card_of(session, attempt), "choose")


def typed(text: str, settings: Settings) -> str:
    """The text in the form that is kept; 422 when it is too long."""
    most = settings.max_answer_characters
    kept = as_kept(text)
    if len(kept) > most:
        told = f"An answer holds at most {most:,} characters and this one has {len(kept):,}"
        raise HTTPException(422, f"{told}: shorten it, then hand it in.")
    return kept


def _must_be_handed_in(attempt: Attempt) -> None:
    if attempt.handed_in_at is None:
        raise HTTPException(409, NOT_HANDED_IN)


def _to_card(card: Card, fragment: str) -> Response:
    return see_other(f"/questions/{card.slug}#{fragment}")
