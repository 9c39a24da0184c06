"""A check as a whole: its findings, who made it, and who was asked in vain."""

from dataclasses import dataclass

from app.domain.checking.findings import Finding

HERE = "here"
"""Who made a check that nobody else had a say in."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of checking one answer.

    `by` is `here`, or `here and by MODEL` when a judge had a say; `note` is a
    sentence on a judge that was asked and had no say in all or some of it.
    """

    findings: tuple[Finding, ...]
    by: str = HERE
    note: str | None = None
