"""The checker's quality on answers that nothing was learned from or tuned on.

    python -m tests.checking.quality

Prints each measure beside its bar, then the confusion counts for each id and
for each style. Ends with 1 when a bar is missed. Three sets of answers, none of
them learned from:

- the *unseen* ones decide. Their two writers knew the card and the sample, and neither
  cues, fragments nor other answers; each labelled the other's blind, and where the two
  differ the label is open. Nothing was chosen with them in sight.
- by the *development* ones the checker's bars were chosen, so they flatter a little.
- the *sample* of held-out answers (answers-dev.jsonl) decides nothing: whoever wrote the
  fragments had read it, and a good hundred of them echo its words.
"""

import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from app.domain.card import Card
from app.domain.checking.check import check
from tests.checking import markup
from tests.checking.first_card import load
from tests.checking.scoring import (
    DEV,
    HERE,
    Judged,
    f1,
    judge,
    key_point_counts,
    labelled,
    pitfall_counts,
    precision,
    recall,
    written,
)


@dataclass(frozen=True, slots=True)
class Measure:
    """One line of the table; `most` says that the bar is an upper one."""

    name: str
    value: float
    bar: float
    most: bool = False
    unit: str = ""

    @property
    def met(self) -> bool:
        """Whether the bar is reached."""
        return self.value <= self.bar if self.most else self.value >= self.bar

    def __str__(self) -> str:
        sign = "at most" if self.most else "at least"
        verdict = "met" if self.met else "MISSED"
        return f"{self.name:58s} {self.value:8.3f}  {sign} {self.bar:g}{self.unit}  {verdict}"


def unseen() -> list[dict]:
    """The answers that decide."""
    return [line for path in sorted((HERE / "unseen").glob("*.jsonl")) for line in labelled(path)]


def development() -> list[dict]:
    """The answers that bars were chosen by: marked-up ones, and half of the written ones."""
    files = sorted((HERE / "answers").glob("dev*.txt"))
    marked = [answer.record() for path in files for answer in markup.load(path)]
    return marked + written(seen=False)


def measures(judged: list[Judged], card: Card) -> list[Measure]:
    """The quality table of a set of judged answers."""
    counts: Counter = Counter()
    for pitfall in card.pitfalls:
        counts += pitfall_counts(judged, pitfall.id)
    scores = [f1(key_point_counts(judged, point.id), True) for point in card.key_points]
    return [
        Measure("pitfalls committed: precision of 'flagged'", precision(counts, "commits"), 0.95),
        Measure("pitfalls committed: recall of 'flagged'", recall(counts, "commits"), 0.80),
        Measure(
            "pitfalls committed: recall of 'flagged' or 'possible'",
            recall(counts, "commits", ("possible",)),
            0.92,
        ),
        Measure("rejecting answers that are flagged", _flagged(counts, "rejects"), 0.01, most=True),
        Measure("silent answers that are flagged", _flagged(counts, "silent"), 0.01, most=True),
        Measure("key points: F1 of the worst id", min(scores), 0.85),
        Measure("key points: mean F1", sum(scores) / len(scores), 0.90),
        Measure("evidence of true flags overlaps the gold words", _overlap(judged), 0.95),
    ]


def _flagged(counts: Counter, gold: str) -> float:
    of = sum(n for (truth, _), n in counts.items() if truth == gold)
    return counts[gold, "commits"] / of if of else 0.0


def _overlap(judged: Iterable[Judged]) -> float:
    """Share of the true flags, with gold words, whose words share a character with them."""
    hits = [
        _shares(j.gold["text"], words, j.report["evidence"][ref])
        for j in judged
        for ref, words in j.gold["evidence"].items()
        if j.report["pitfalls"][ref] == "commits" and j.gold["pitfalls"][ref] == "commits"
    ]
    return sum(hits) / len(hits) if hits else 1.0


def _shares(text: str, gold: str, found: str) -> bool:
    start, at = text.find(gold), text.find(found)
    return max(start, at) < min(start + len(gold), at + len(found))


def cost(card: Card) -> list[Measure]:
    """Processor time of answers of 150 words, start-up and memory, one core."""
    words = " ".join(answer["text"] for answer in unseen()).split()
    check(words[0], card)  # the claims are read once for each process
    times = []
    for at in range(0, 40 * 150, 150):
        begun = time.process_time()
        check(" ".join(words[at : at + 150]), card)
        times.append(time.process_time() - begun)
    p95 = sorted(times)[int(0.95 * len(times))]
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return [
        Measure("150 words: p95 of processor time", 1000 * p95, 150, most=True, unit=" ms"),
        Measure("start-up to the first check", _start_up(), 2, most=True, unit=" s"),
        Measure("memory, these measurements included", megabytes, 300, most=True, unit=" MB"),
    ]


def _start_up() -> float:
    """Processor seconds of a new process that loads the network and reads one answer."""
    code = (
        "import time; from app.domain.checking.network import the_network;"
        "from app.domain.checking.sighting import Claim;"
        "the_network().look('Same maths.', (Claim('a', ('Same maths.',)),));"
        "print(time.process_time())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)


def confusion(judged: list[Judged], card: Card) -> Iterable[str]:
    """The counts for each id, then for each style, as lines."""
    for point in card.key_points:
        counts = key_point_counts(judged, point.id)
        cells = {"hit": (True, True), "missed": (True, False), "false": (False, True)}
        told = "  ".join(f"{name} {counts[cell]}" for name, cell in cells.items())
        yield f"{point.id:22s} F1 {f1(counts, True):.2f}  {told}"
    for pitfall in card.pitfalls:
        yield f"{pitfall.id:22s} {_cells(pitfall_counts(judged, pitfall.id))}"
    for style in sorted({str(j.gold.get("style", "")) for j in judged}):
        chosen = [j for j in judged if j.gold.get("style", "") == style]
        counts = sum((pitfall_counts(chosen, p.id) for p in card.pitfalls), Counter())
        yield f"{style[:28]:28s} {len(chosen):3d} answers  {_cells(counts)}"


def _cells(counts: Counter) -> str:
    return "  ".join(f"{gold}→{said} {n}" for (gold, said), n in sorted(counts.items()))


def report(
    name: str, answers: list[dict], card: Card, write: Callable[[str], None]
) -> list[Measure]:
    """Judge a set of answers and write its table; the measures are returned."""
    judged = judge(answers, card, check)
    table = measures(judged, card)
    write(f"\n{name}: {len(answers)} answers")
    for line in [*map(str, table), *confusion(judged, card)]:
        write("  " + line)
    return table


def main() -> int:
    """Print everything; 1 when a bar is missed on the unseen answers."""
    card = load()
    report("the sample, known to the fragments' author: flattering", labelled(DEV), card, print)
    report("development answers, known to who chose the bars", development(), card, print)
    table = report("unseen answers", unseen(), card, print) + cost(card)
    print("\nsummary, unseen answers")
    for measure in table:
        print("  " + str(measure))
    return 0 if all(measure.met for measure in table) else 1


if __name__ == "__main__":
    sys.exit(main())
