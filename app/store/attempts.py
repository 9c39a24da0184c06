"""Attempts: begun, drafted, handed in, looked back on, checked, disputed; and how to find them.

Every function works in the caller's session and leaves the commit to it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, joinedload

from app.domain.checked import Checked
from app.domain.checking.findings import Finding
from app.domain.omissions import Spoken
from app.domain.practice import Dispute, Sureness
from app.store.cards import StoredCard
from app.store.models import Attempt, CardRow, FindingRow, is_open


class AlreadyEnded(Exception):
    """The attempt takes no answer any more; the message says why, in a sentence."""


@dataclass(frozen=True, slots=True)
class DraftSaved:
    """A kept draft: when, and the text from elsewhere that it took the place of."""

    at: datetime
    replaced: str | None


def begin(
    session: Session, learner_id: int, stored: StoredCard, tier_id: str, now: datetime
) -> Attempt:
    """Begin an attempt, or join the open one: a card has one open attempt for each learner.

    Raises KeyError when the card has no tier `tier_id`.
    """
    tier = stored.card.tier(tier_id)
    if (joined := _open(session, learner_id, stored.row_id)) is not None:
        return joined
    attempt = Attempt(
        learner_id=learner_id,
        card_id=stored.row_id,
        content_hash=stored.content_hash,
        tier=tier.id,
        target_seconds=tier.target_seconds,
        started_at=now,
    )
    try:
        with session.begin_nested():
            session.add(attempt)
    except IntegrityError:  # another request began it in this moment
        if (joined := _open(session, learner_id, stored.row_id)) is None:
            raise
        return joined
    return attempt


def latest(session: Session, learner_id: int, card_id: int) -> Attempt | None:
    """The learner's newest attempt at this card that was not given up, with its findings."""
    query = (
        _with_findings()
        .where(Attempt.learner_id == learner_id, Attempt.card_id == card_id)
        .where(Attempt.abandoned_at.is_(None))
        .order_by(Attempt.started_at.desc(), Attempt.id.desc())
    )
    newest = query.with_only_columns(Attempt.id).limit(1).scalar_subquery()
    return session.scalars(_with_findings().where(Attempt.id == newest)).unique().one_or_none()


def own(
    session: Session, learner_id: int, attempt_id: int, *, lock: bool = False
) -> Attempt | None:
    """The attempt with this id, with its findings, if it is this learner's.

    `lock` keeps other requests from changing it until the session commits.
    """
    query = _with_findings().where(Attempt.id == attempt_id, Attempt.learner_id == learner_id)
    if lock:
        query = query.with_for_update(of=Attempt)
    return session.scalars(query).unique().one_or_none()


def history(
    session: Session, learner_id: int, *, before: int | None = None, limit: int = 50
) -> Sequence[Attempt]:
    """The learner's attempts, newest first, from before the id `before`.

    Each has its findings, and of its card the slug and the title.
    """
    query = select(Attempt.id).where(Attempt.learner_id == learner_id)
    if before is not None:
        query = query.where(Attempt.id < before)
    ids = query.order_by(Attempt.id.desc()).limit(limit)
    head = joinedload(Attempt.card).load_only(CardRow.slug, CardRow.title)
    rows = _with_findings().options(head).where(Attempt.id.in_(ids))
    return session.scalars(rows.order_by(Attempt.id.desc())).unique().all()


def save_draft(attempt: Attempt, text: str, seen: str, now: datetime) -> DraftSaved:
    """Keep what was typed; the newest text wins, and what it took the place of is told.

    `seen` is the version (`draft_version`) that the page last knew. Raises
    AlreadyEnded when the attempt takes no answer any more.
    """
    _must_be_open(attempt)
    from_elsewhere = seen != draft_version(attempt) and attempt.draft.strip() not in (
        "",
        text.strip(),
    )
    replaced = attempt.draft if from_elsewhere else None
    attempt.draft = text
    attempt.draft_saved_at = now
    return DraftSaved(now, replaced)


def draft_version(attempt: Attempt) -> str:
    """What names the draft as it is kept now; empty while none was."""
    return attempt.draft_saved_at.isoformat() if attempt.draft_saved_at else ""


def hand_in(attempt: Attempt, answer: str, seen: str | None, now: datetime) -> None:
    """Make `answer` the attempt's answer; nothing is checked here.

    A draft that the page had not seen (`seen` is the version that it knew) stays
    beside the answer, so that text typed elsewhere is not lost. Raises
    AlreadyEnded when the attempt takes no answer any more.
    """
    _must_be_open(attempt)
    if seen is None or seen == draft_version(attempt):
        attempt.draft = answer
    attempt.answer = answer
    attempt.handed_in_at = now


def keep_beside(attempt: Attempt, text: str) -> None:
    """Keep a text that came after the hand-in beside the answer, with any other kept there."""
    others = [kept for kept in (attempt.draft, text) if kept.strip() and kept != attempt.answer]
    attempt.draft = "\n\n".join(dict.fromkeys(others)) or attempt.draft


def abandon(attempt: Attempt, now: datetime) -> None:
    """Give the attempt up; one that has already ended is left as it is."""
    if is_open(attempt):
        attempt.abandoned_at = now


def keep_findings(
    session: Session, attempt: Attempt, findings: Sequence[Finding], now: datetime
) -> None:
    """Store what the check concluded; what the learner said to earlier findings is kept."""
    known = {(row.kind, row.ref): row for row in attempt.findings}
    for finding in findings:
        row = known.pop((finding.kind, finding.ref), None)
        if row is None:
            session.add(_new_row(attempt, finding))
        else:
            row.state, row.start, row.end = finding.state, finding.start, finding.end
            row.signs = list(finding.signs)
    for gone in known.values():
        session.delete(gone)
    attempt.checked_at = now
    attempt.check_trouble = None
    session.flush()
    session.refresh(attempt, ["findings"])


def keep_check(session: Session, attempt: Attempt, checked: Checked, now: datetime) -> None:
    """Store a whole check: its findings, who made it, and who was asked in vain."""
    attempt.checked_by = checked.by
    attempt.check_note = checked.note
    keep_findings(session, attempt, checked.findings, now)


def keep_trouble(attempt: Attempt, sentence: str) -> None:
    """Note that the check did not finish; the answer stays, and it can be checked again."""
    attempt.check_trouble = sentence


def review(
    attempt: Attempt, claimed: Sequence[str], sureness: Sureness | None, now: datetime
) -> None:
    """Keep the learner's own view: the key points that they say they made, and how sure."""
    attempt.claimed = list(claimed)
    attempt.sureness = sureness.value if sureness else None
    attempt.reviewed_at = now


def withdraw_review(attempt: Attempt) -> None:
    """Take the learner's own view back, exactly."""
    attempt.claimed = []
    attempt.sureness = None
    attempt.reviewed_at = None


def dispute(finding: FindingRow, words: Dispute, now: datetime) -> None:
    """Keep what the learner says to a finding."""
    finding.dispute = words
    finding.disputed_at = now


def withdraw_dispute(finding: FindingRow) -> None:
    """Take back what the learner said to a finding, exactly."""
    finding.dispute = None
    finding.disputed_at = None


def spoken(attempt: Attempt) -> list[Spoken]:
    """The findings of an attempt, which must be loaded, with what the learner says to each."""
    return [Spoken(row.kind, row.ref, row.state, row.dispute) for row in attempt.findings]


def _with_findings():
    return select(Attempt).options(joinedload(Attempt.findings))


def _open(session: Session, learner_id: int, card_id: int) -> Attempt | None:
    query = _with_findings().where(
        Attempt.learner_id == learner_id,
        Attempt.card_id == card_id,
        Attempt.handed_in_at.is_(None),
        Attempt.abandoned_at.is_(None),
    )
    return session.scalars(query).unique().one_or_none()


def _must_be_open(attempt: Attempt) -> None:
    if attempt.handed_in_at is not None:
        raise AlreadyEnded("This attempt was handed in already, so nothing of it was changed.")
    if attempt.abandoned_at is not None:
        raise AlreadyEnded("This attempt was given up, so nothing of it was changed.")


def _new_row(attempt: Attempt, finding: Finding) -> FindingRow:
    return FindingRow(
        attempt_id=attempt.id,
        kind=finding.kind,
        ref=finding.ref,
        state=finding.state,
        start=finding.start,
        end=finding.end,
        signs=list(finding.signs),
    )
