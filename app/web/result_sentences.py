"""What is said of a checked answer as a whole, in sentences."""

from collections.abc import Sequence

from app.domain.checking.findings import State
from app.web.result_findings import PitfallFound, PointFound
from app.web.words import several


def sentence(answer: str, asked: Sequence[PointFound], pitfalls: Sequence[PitfallFound]) -> str:
    """How many of the asked points the answer covers, and how many pitfalls it trips."""
    if not any(character.isalnum() for character in answer):
        return "Nothing to check: there are no words in this answer."
    covered = sum(point.counts for point in asked)
    tripped = sum(one.trips for one in pitfalls)
    possible = sum(one.state is State.POSSIBLE and one.dispute is None for one in pitfalls)
    return (
        f"Your answer covers {covered} of the {several(len(asked), 'point')} that its length asks "
        f"for and {_tripped(tripped, possible)}."
    )


def own_view(points: Sequence[PointFound]) -> str:
    """The points that the learner ticked, held against what the check found."""
    ticked = [point for point in points if point.claimed]
    found = sum(point.state is State.COVERED for point in ticked)
    if not ticked:
        return "You ticked 0 points."
    told = f"You ticked {several(len(ticked), 'point')}"
    if len(ticked) == 1:
        return f"{told}, and the check {'found it' if found else 'did not find it'}."
    return (
        f"{told}, and the check found {'all' if found == len(ticked) else found or 'none'} of them."
    )


def _tripped(tripped: int, possible: int) -> str:
    told = (
        f"trips {several(tripped, 'pitfall')}" if tripped else "trips no known pitfall for certain"
    )
    if not possible:
        return told if tripped else "trips no known pitfall"
    return f"{told}; {possible} {'more ' if tripped else ''}possible, you judge"
