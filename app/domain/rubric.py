"""What a card has an answer checked against: key points to make, pitfalls to stay clear of.

Values only, as the author wrote them; app/domain/checking looks for them in the answer.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KeyPoint:
    """One thing a full answer contains.

    `asserts` are example sentences that make the point; `cues` are patterns in
    the checker's small language (see app/domain/checking/cues.py). `opposes`
    names the pitfall whose denial is this very point, if there is one.
    `left_out` is said to an answer that owes the point and has no word on it;
    which length of answer owes it, the tiers say.
    """

    id: str
    point: str
    asserts: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    opposes: str | None = None
    left_out: str | None = None


@dataclass(frozen=True, slots=True)
class Pitfall:
    """One thing that costs the question when it is said.

    `explained_in` is the id of the ladder's rung to open next (app/domain/ladder.py).
    `asserts` are sentences that fall in, `rejects` sentences that steer clear;
    `cues` are the patterns by which the checker sees the claim, `denials` those
    by which it sees the opposite said outright ('the FLOPs stay the same').
    `subject` are patterns for what a sentence about it speaks of: no such word
    near, no pitfall.
    """

    id: str
    says: str
    why: str
    instead: str
    explained_in: str | None = None
    asserts: tuple[str, ...] = ()
    rejects: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    denials: tuple[str, ...] = ()
    subject: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Concept:
    """A name for a set of phrases, used by the cues of one card as `{name}`."""

    name: str
    phrases: tuple[str, ...]
