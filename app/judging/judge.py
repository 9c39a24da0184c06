"""A judge's say in a check: asked for, read with care, and never needed."""

import logging
from collections.abc import Mapping, Sequence
from threading import BoundedSemaphore

import anyio.from_thread

from app.domain.card import Card
from app.domain.checked import HERE, Checked
from app.domain.checking.findings import Finding
from app.domain.marking import Span
from app.judging.addressed import addressed, overlaps, without
from app.judging.agreement import agreed
from app.judging.asking import replies_to
from app.judging.endpoint import Endpoint
from app.judging.questions import Question, question_id, questions
from app.judging.reply import Verdict, View, view_in
from app.judging.trouble import JudgeTrouble

ANSWERS_AT_ONCE = 4
PATIENCE_SECONDS = 2.0  # for a turn: requests that wait for one hold up others

log = logging.getLogger(__name__)


class Judge:
    """A judge behind an endpoint; a few answers are with it at a time, the others wait a little."""

    def __init__(self, endpoint: Endpoint, patience: float = PATIENCE_SECONDS) -> None:
        self._endpoint = endpoint
        self._patience = patience
        self._turns = BoundedSemaphore(ANSWERS_AT_ONCE)

    @property
    def place(self) -> str:
        """The server that answers are sent to, by its name alone."""
        return self._endpoint.place

    def second(self, answer: str, card: Card, findings: Sequence[Finding]) -> Checked:
        """The findings made here with the judge's view as a second sign.

        Whatever goes wrong with the judge, the findings stand and the note says
        why it had no say. To be called in a thread that the server's event loop
        started, as those of `def` routes are.
        """
        try:
            return self._seconded(answer, card, tuple(findings))
        except JudgeTrouble as trouble:
            why = str(trouble)
        except Exception as error:  # a fault in all this must never cost the check
            log.error("asking the judge failed: %s", type(error).__name__)
            why = "could not be asked"
        log.warning("the judge %s", why)
        note = f"The judge at {self.place} {why}, so it had no say."
        return Checked(tuple(findings), HERE, note)

    def _seconded(self, answer: str, card: Card, findings: tuple[Finding, ...]) -> Checked:
        hidden = addressed(answer)
        shown = without(answer, hidden)
        if not any(character.isalnum() for character in shown):
            return Checked(findings)  # nothing is left to ask about
        replies = self._replies(questions(card, shown))
        views = {id: view_in(reply, id, answer, hidden) for id, reply in replies.items()}
        usable = {id: view for id, view in views.items() if view is not None}
        if not usable:
            raise JudgeTrouble("gave no reply that could be used")
        second = agreed(findings, _informed(usable, findings, hidden))
        return Checked(second, f"{HERE} and by {self._endpoint.model}", _note(views, usable))

    def _replies(self, asked: Sequence[Question]) -> Mapping[str, str]:
        if not self._turns.acquire(timeout=self._patience):
            raise JudgeTrouble("is busy with other answers")
        try:
            return anyio.from_thread.run(replies_to, self._endpoint, asked)
        finally:
            self._turns.release()


def _informed(
    views: Mapping[str, View], findings: Sequence[Finding], hidden: Sequence[Span]
) -> dict[str, View]:
    """The views without those silent on a finding whose words the judge was not shown."""
    unseen = {
        question_id(f.kind, f.ref)
        for f in findings
        if f.start is not None and f.end is not None and overlaps(hidden, f.start, f.end)
    }
    return {
        id: view
        for id, view in views.items()
        if view.verdict is not Verdict.NEITHER or id not in unseen
    }


def _note(views: Mapping[str, View | None], usable: Mapping[str, View]) -> str | None:
    unusable = len(views) - len(usable)
    if unusable == 0:
        return None
    return (
        f"The judge's reply could not be used for {unusable} of the {len(views)} claims, "
        "which were checked here alone."
    )
