"""What the tests of the practice pages share: the steps of a rehearsal, by their forms."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

from fastapi import FastAPI
from httpx2 import Response
from sqlalchemy import event, func, select
from starlette.testclient import TestClient

from app.domain.checking.findings import Finding
from app.store import attempts
from app.store import findings as kept_findings
from app.store.engine import Database
from app.store.models import Attempt, Base

SLUG = "fused-normalization-chain"
PAGE = f"/questions/{SLUG}"
AS_HTMX = {"HX-Request": "true", "HX-Request-Type": "partial"}


def another_browser(app: FastAPI, client: TestClient) -> TestClient:
    """A browser at the same address as `client` that has met this site never before."""
    headers = {"Sec-Fetch-Site": "same-origin"}
    return TestClient(app, base_url=str(client.base_url), headers=headers)


@contextmanager
def statements(database: Database) -> Iterator[list[str]]:
    """Every statement that `database` is asked in the block."""
    asked: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        asked.append(statement)

    event.listen(database.engine, "before_cursor_execute", note)
    yield asked
    event.remove(database.engine, "before_cursor_execute", note)


def begin(client: TestClient, tier: str = "solid") -> int:
    """Begin an attempt, or join the open one; its id."""
    answer = client.post(f"{PAGE}/attempts", data={"tier": tier})
    assert answer.status_code == 200
    found = re.search(r"/attempts/(\d+)/answer", answer.text)
    assert found, "the page does not ask for an answer"
    return int(found[1])


def hand_in(client: TestClient, attempt_id: int, text: str, seen: str = "") -> Response:
    """Hand `text` in; the page that follows."""
    return client.post(f"/attempts/{attempt_id}/answer", data={"text": text, "seen": seen})


def review(client: TestClient, attempt_id: int, *claimed: str, sureness: str = "sure") -> Response:
    """Give the own view; the page that follows."""
    view = {"claimed": list(claimed), "sureness": sureness}
    return client.post(f"/attempts/{attempt_id}/review", data=view)


def answered(client: TestClient, text: str = "It saves trips.", tier: str = "solid") -> int:
    """A whole answer, handed in, viewed and checked; the attempt's id."""
    attempt_id = begin(client, tier)
    hand_in(client, attempt_id, text)
    review(client, attempt_id)
    return attempt_id


def kept(database: Database, attempt_id: int) -> Attempt:
    """The attempt as the database holds it, with its findings."""
    with database.reading() as session:
        attempt = session.get(Attempt, attempt_id)
        assert attempt is not None
        whole = attempts.own(session, attempt.learner_id, attempt_id)
        assert whole is not None
        return whole


def find(database: Database, attempt_id: int, findings: Sequence[Finding]) -> None:
    """Have the check of this attempt conclude `findings`, whatever the card's cues say."""
    with database.changing() as session:
        attempt = session.get(Attempt, attempt_id)
        assert attempt is not None
        whole = attempts.own(session, attempt.learner_id, attempt_id)
        assert whole is not None
        kept_findings.keep_findings(session, whole, findings, datetime.now(UTC))
        session.commit()


def count(database: Database, table: type[Base]) -> int:
    """How many rows this table has."""
    with database.reading() as session:
        return session.scalar(select(func.count()).select_from(table)) or 0
