"""Follow-ups: what was tried on one is kept, and only then its answer is shown."""

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Response

from app.domain.practice import as_kept
from app.store import reveals
from app.web.asked_card import card_at, current_attempt, parts_of
from app.web.deps import Changing, CurrentLearner, Now
from app.web.pages import see_other

router = APIRouter(include_in_schema=False)

MOST_TRIED = 5_000  # characters of an answer to a follow-up


@router.post("/questions/{slug}/follow-ups/{follow_up}/tries")
def try_follow_up(
    slug: str,
    follow_up: str,
    session: Changing,
    learner: CurrentLearner,
    now: Now,
    text: Annotated[str, Form()] = "",
    aloud: Annotated[bool, Form()] = False,
    again: Annotated[bool, Form()] = False,
) -> Response:
    """Keep what was tried on a follow-up, typed or `aloud`; its answer is shown after that."""
    stored = card_at(session, slug)
    part = f"follow-up-{follow_up}"
    parts_of(stored, [part])
    if len(text) > MOST_TRIED:
        raise HTTPException(422, f"A try holds at most {MOST_TRIED:,} characters: shorten it.")
    if not (aloud or text.strip()):
        raise HTTPException(422, "Type a try, or press the button that says you said it aloud.")
    attempt = current_attempt(session, learner.id, stored, again=again)
    reveal = reveals.record(session, learner.id, stored.row_id, attempt, part, now)
    if reveal.tried is None:  # else the answer has been shown: what comes now is no try
        reveal.tried = as_kept(text) if text.strip() else ""
    session.commit()
    return see_other(f"/questions/{slug}?{'again=1&' if again else ''}open={part}#{part}")
