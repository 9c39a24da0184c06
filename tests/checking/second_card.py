"""How well a card is checked that nothing was trained on, and that has sentences only.

python -m tests.checking.second_card
"""

from collections import Counter
from pathlib import Path

import yaml

from app.domain.card import Card, Prose
from app.domain.checking.check import check
from app.domain.checking.findings import Finding, State
from app.domain.rubric import KeyPoint, Pitfall
from tests.checking.scoring import f1, precision, recall

HERE = Path(__file__).parent / "second"
POINTS = {
    "np": "no_score_matrix",
    "os": "online_softmax",
    "lm": "linear_memory",
    "ex": "exact",
}
SAID = {"ap": "approximate", "fo": "fewer_operations"}
DENIED = {"ex": "approximate", "nf": "fewer_operations"}


def load() -> Card:
    """The second card: claims and their sentences, nothing else."""
    fields = yaml.safe_load((HERE / "card.yaml").read_text())
    points = [KeyPoint(i, i, **_tuples(f)) for i, f in fields["key_points"].items()]
    pitfalls = [Pitfall(i, i, "", "", **_tuples(f)) for i, f in fields["pitfalls"].items()]
    nothing = Prose("", "")
    parts = dict.fromkeys(("five_lines", "tiers", "levels", "sections", "follow_ups"), ())
    return Card(
        **parts,
        slug="second",
        title="",
        topic="",
        prompt=nothing,
        picture=nothing,
        key_points=tuple(points),
        pitfalls=tuple(pitfalls),
        claims=(),
        content_hash="",
    )


def _tuples(fields: dict) -> dict:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in fields.items()}


def counts(card: Card) -> dict[str, Counter]:
    """Confusion counts: of the key points together, and of the pitfalls told of in any way."""
    tally = {"key points": Counter(), "pitfalls": Counter(), "rejections": Counter()}
    for line in (HERE / "answers.txt").read_text().splitlines():
        marks, _, text = line.partition(" | ")
        found = {finding.ref: finding for finding in check(text, card)}
        for mark, ref in POINTS.items():
            tally["key points"][mark in marks, found[ref].state is State.COVERED] += 1
        for mark, ref in SAID.items():
            tally["pitfalls"][mark in marks, _told(found[ref])] += 1
        for mark, ref in DENIED.items():
            tally["rejections"][mark in marks, found[ref].state is State.REJECTED] += 1
    return tally


def _told(finding: Finding) -> bool:
    return finding.state in (State.FLAGGED, State.POSSIBLE)


def main() -> None:
    """Print precision, recall and F1 of each kind."""
    for name, tally in counts(load()).items():
        told = (
            f"P {precision(tally, True):.2f}  R {recall(tally, True):.2f}  F1 {f1(tally, True):.2f}"
        )
        print(f"{name:12s} {told}")


if __name__ == "__main__":
    main()
