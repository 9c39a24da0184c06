"""Where the words of a finding stand in the answer, and which of them are marked there."""

from collections.abc import Mapping, Sequence

from app.domain.checking.findings import Kind, State
from app.domain.marking import STRONGEST_FIRST, Mark
from app.domain.practice import Dispute
from app.store.models import FindingRow

_AROUND = " \t\n,;:."


def words_of(row: FindingRow, answer: str) -> str | None:
    """The words that this finding is about; None where it is about none."""
    span = _span(row, answer)
    return (answer[slice(*span)] or None) if span else None


def state_of(row: FindingRow) -> State:
    """What the check concluded; a pitfall of which the learner says 'I said that' is flagged."""
    owned = row.kind is Kind.PITFALL and row.dispute is Dispute.SAID
    return State.FLAGGED if owned else row.state


def marks_of(rows: Sequence[FindingRow], numbers: Mapping[int, int], answer: str) -> list[Mark]:
    """What to mark, numbered by the ids of the rows (0 for one that has no number).

    Words that the learner took out of the count are marked no more.
    """
    return [
        Mark(*span, state_of(row), numbers.get(row.id, 0))
        for row in rows
        if row.state in STRONGEST_FIRST and row.dispute in (None, Dispute.SAID)
        if (span := _span(row, answer)) is not None
    ]


def _span(row: FindingRow, answer: str) -> tuple[int, int] | None:
    """Where the words of a finding stand, without the stops and blanks around them."""
    if row.start is None or row.end is None:
        return None
    words = answer[row.start : row.end]
    begins = len(words) - len(words.lstrip(_AROUND))
    kept = words.strip(_AROUND)
    return (row.start + begins, row.start + begins + len(kept)) if kept else (row.start, row.end)
