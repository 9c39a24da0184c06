"""An answer with findings of each state, and what one looks up and says of it."""

import re

from fastapi.testclient import TestClient
from httpx2 import Response

from app.domain.checking.findings import Finding, Kind, State
from app.store.engine import Database
from app.store.models import FindingRow
from tests.web.practising import kept

ANSWER = "The flops go down. Maybe the whole step is 3x. It keeps the trips to memory away."


def finding(kind: Kind, ref: str, state: State, words: str = "") -> Finding:
    """A finding on `ANSWER`, by the words that show it."""
    if not words:
        return Finding(kind, ref, state, signs=("a sign",))
    start = ANSWER.index(words)
    return Finding(kind, ref, state, start, start + len(words), ("a sign",))


FOUND = [
    finding(Kind.KEY_POINT, "round_trips", State.COVERED, "keeps the trips to memory away"),
    finding(Kind.KEY_POINT, "same_arithmetic", State.NOT_FOUND),
    finding(Kind.PITFALL, "fewer_flops", State.FLAGGED, "The flops go down"),
    finding(Kind.PITFALL, "whole_step_3x", State.POSSIBLE, "the whole step is 3x"),
    finding(Kind.PITFALL, "faster_matmul", State.NOT_FOUND),
]


def row_of(database: Database, attempt_id: int, ref: str) -> FindingRow:
    """The kept finding on this point or pitfall."""
    return next(row for row in kept(database, attempt_id).findings if row.ref == ref)


def say(
    client: TestClient, database: Database, attempt_id: int, ref: str, words: str, **form: str
) -> Response:
    """Dispute the finding on this point or pitfall; the page that follows."""
    row = row_of(database, attempt_id, ref)
    address = f"/attempts/{attempt_id}/findings/{row.id}/dispute"
    return client.post(address, data={"words": words, **form})


def marked(page: str) -> dict[str, str]:
    """The words that the page marks, by state."""
    return dict(re.findall(r'<mark class="(\w+)">([^<]+)</mark>', page.split("legend")[0]))
