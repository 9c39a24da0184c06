"""Labelled answers against a checker: confusion counts, precision, recall, F1."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from app.domain.card import Card
from app.domain.checking.findings import Checker
from app.domain.checking.report import as_report

HERE = Path(__file__).parent
DEV = HERE / "answers-dev.jsonl"


@dataclass(frozen=True, slots=True)
class Judged:
    """One labelled answer beside what the checker reported of it."""

    gold: dict[str, Any]
    report: dict[str, Any]

    def pitfall(self, ref: str) -> tuple[str | None, str]:
        """Gold and reported verdict; gold is None where the labellers left it open."""
        return self.gold["pitfalls"].get(ref), self.report["pitfalls"][ref]

    def key_point(self, ref: str) -> tuple[bool | None, bool]:
        """Gold and reported; gold is None where the labellers left it open."""
        return self.gold["key_points"].get(ref), self.report["key_points"][ref]


def labelled(path: Path) -> list[dict[str, Any]]:
    """The labelled answers in a JSON-lines file."""
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def is_seen(text: str) -> bool:
    """Whether a written answer may be learned from; a coin toss fixed by its text."""
    return int(sha256(text.encode()).hexdigest(), 16) % 2 == 0


def written(*, seen: bool) -> list[dict[str, Any]]:
    """The answers written and labelled by others: the seen part, or the other."""
    files = sorted((HERE / "written").glob("*.jsonl"))
    return [line for path in files for line in labelled(path) if is_seen(line["text"]) is seen]


def judge(answers: Iterable[dict[str, Any]], card: Card, checker: Checker) -> list[Judged]:
    """Each answer beside its report."""
    return [Judged(a, as_report(a["id"], a["text"], checker(a["text"], card))) for a in answers]


def pitfall_counts(judged: Iterable[Judged], ref: str) -> Counter[tuple[str, str]]:
    """(gold, reported) -> how many."""
    pairs = (j.pitfall(ref) for j in judged)
    return Counter((gold, said) for gold, said in pairs if gold is not None)


def key_point_counts(judged: Iterable[Judged], ref: str) -> Counter[tuple[bool, bool]]:
    """(gold, reported) -> how many."""
    pairs = (j.key_point(ref) for j in judged)
    return Counter((gold, said) for gold, said in pairs if gold is not None)


def precision(counts: Counter[Any], positive: Any) -> float:
    """Share of the reported positives that are; 1 where nothing was reported."""
    reported = sum(n for (_, said), n in counts.items() if said == positive)
    return counts[positive, positive] / reported if reported else 1.0


def recall(counts: Counter[Any], positive: Any, accepted: tuple[Any, ...] = ()) -> float:
    """Share of the true positives that were reported as positive or as one of `accepted`."""
    true = sum(n for (gold, _), n in counts.items() if gold == positive)
    found = sum(counts[positive, said] for said in (positive, *accepted))
    return found / true if true else 1.0


def f1(counts: Counter[Any], positive: Any) -> float:
    """Harmonic mean of precision and recall."""
    p, r = precision(counts, positive), recall(counts, positive)
    return 2 * p * r / (p + r) if p + r else 0.0
