"""Checking an answer within a deadline, in a process that can be stopped at any moment."""

import logging
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from threading import Lock

from sqlalchemy.orm import Session

from app.domain.card import Card
from app.domain.checked import Checked
from app.domain.checking.findings import Finding
from app.judging.judge import Judge
from app.settings import ROOT
from app.store import attempts
from app.store import findings as kept
from app.store.models import Attempt
from app.web.check_child import READY
from app.web.exchange import exchange

CHILD = (sys.executable, "-m", "app.web.check_child")
START_SECONDS = 20.0
KEPT = "Your answer is kept, and you can check it again."
AS_BEFORE = (
    "It ended the same way before, so checking it once more helps only if the site was busy. "
    "Your answer is kept; a shorter one is checked sooner."
)

log = logging.getLogger(__name__)


class CheckTrouble(Exception):
    """The check did not finish; the message says why, in a sentence for the learner."""


class CheckTooLong(CheckTrouble):
    """It was stopped at the deadline: a shorter answer, or a site less busy, would help."""


class Checks:
    """Checks answers, one at a time, in one child process that is started when first needed."""

    def __init__(
        self, deadline: timedelta, command: Sequence[str] = CHILD, judge: Judge | None = None
    ) -> None:
        self._judge = judge
        self._seconds = deadline.total_seconds()
        self._command = command
        self._turn = Lock()
        self._stopping = Lock()
        self._child: subprocess.Popen[bytes] | None = None

    @property
    def sent_to(self) -> str | None:
        """The server of the judge that answers are sent to as well; None where none is set."""
        return self._judge.place if self._judge else None

    def checked(self, answer: str, card: Card) -> Checked:
        """What `check` finds, after a judge has had its say where one is set.

        The judge has a deadline of its own, and the findings stand without it.
        """
        findings = self.check(answer, card)
        return self._judge.second(answer, card, findings) if self._judge else Checked(findings)

    def check(self, answer: str, card: Card) -> tuple[Finding, ...]:
        """The findings made here; CheckTrouble when they are not there by the deadline."""
        if not self._turn.acquire(timeout=self._seconds):
            raise CheckTrouble("Other answers were being checked.")
        try:
            return self._ask(answer, card)
        finally:
            self._turn.release()

    def get_ready(self, card: Card) -> None:
        """Have the child read what it needs of `card`, which its first check would wait for."""
        with self._turn, suppress(CheckTrouble):  # its log has it; the first check will tell
            reply, _late = exchange(self._running(), ("", card), START_SECONDS)
            if reply is None:
                self.close()

    def close(self) -> None:
        """Stop the child process; at the site's end that may be while another thread does."""
        with self._stopping:
            if self._child is not None:
                self._child.kill()
                self._child.communicate()
                self._child = None

    def _ask(self, answer: str, card: Card) -> tuple[Finding, ...]:
        child = self._running()
        reply, late = exchange(child, (answer, card), self._seconds)
        if late:
            self.close()
            raise CheckTooLong(f"The check took longer than {self._seconds:g} s and was stopped.")
        if reply is None:
            self.close()
            log.error("the process that checks answers broke off")
            raise CheckTrouble("The check broke off.")
        findings, fault = reply
        if fault is not None:
            log.error("the checker raised %s", fault)
            raise CheckTrouble("The check failed.")
        return findings

    def _running(self) -> subprocess.Popen[bytes]:
        if self._child is None or self._child.poll() is not None:
            self.close()
            pipe = subprocess.PIPE
            self._child = subprocess.Popen(self._command, stdin=pipe, stdout=pipe, cwd=ROOT)
            said, _late = exchange(self._child, None, START_SECONDS)
            if said not in (READY, None):  # None: it broke off, as the first question will show
                self.close()
                log.error("the process that checks answers can't start: %s", said)
                raise CheckTrouble("The check can't be made here: `ridgepoint doctor` says why.")
        return self._child


def check_attempt(
    session: Session, checks: Checks, attempt: Attempt, card: Card, now: datetime
) -> None:
    """Check a handed-in answer and keep what came of it, findings or trouble.

    The answer is committed before anything is checked, and no transaction is
    open while the check runs.
    """
    session.commit()
    try:
        checked = checks.checked(attempt.answer or "", card)
    except CheckTrouble as trouble:
        attempts.held_again(session, attempt)
        kept.keep_trouble(attempt, f"{trouble} {_what_helps(trouble, attempt.check_trouble)}")
    else:
        attempts.held_again(session, attempt)  # another tab may have had it checked meanwhile
        kept.keep_check(session, attempt, checked, now)
    session.commit()


def _what_helps(trouble: CheckTrouble, before: str | None) -> str:
    same = (before or "").startswith(str(trouble))
    return AS_BEFORE if same and isinstance(trouble, CheckTooLong) else KEPT
