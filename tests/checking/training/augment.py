"""More answers out of those there are: other words for the same, sentences of several put together.

Everything keeps its labels: a swapped word means the same, and a borrowed
sentence brings its marks along.
"""

import random
import re
from functools import lru_cache
from pathlib import Path

from tests.checking.markup import Segment
from tests.checking.training.lines import Line

WORDS = Path(__file__).with_name("same_words.txt")

_SWAPPED = 0.25  # share of the words with equals that are swapped
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_ENDS = (".", "!", "?", ";", "\n")


def reworded(segments: tuple[Segment, ...], rng: random.Random) -> tuple[Segment, ...]:
    """The segments with some words swapped for others that mean the same."""
    pattern, equals = _equals()

    def swap(match: re.Match[str]) -> str:
        word = match.group()
        if rng.random() > _SWAPPED:
            return word
        other = rng.choice(equals[word.lower()])
        return other.capitalize() if word[:1].isupper() and not word.isupper() else other

    return tuple(Segment(pattern.sub(swap, s.text), s.labels) for s in segments)


def mixed(lines: list[Line], rng: random.Random) -> Line:
    """Runs of sentences from several answers, as one answer."""
    taken: list[Segment] = []
    for line in lines:
        sentences = _sentences(line.segments)
        length = rng.randint(1, max(1, min(4, len(sentences) - 1)))
        start = rng.randint(0, len(sentences) - length)
        for sentence in sentences[start : start + length]:
            taken += [*sentence, Segment(rng.choice((" ", " ", "\n")))]
    return Line(tuple(taken))


def may_be_cut(line: Line) -> bool:
    """Whether the answer's sentences can stand apart: marked through, nothing taken back."""
    plain = "".join(s.text for s in line.segments if not s.labels).lower()
    return not line.unplaced and not line.open and not _LEANING.search(plain)


_LEANING = re.compile(
    r"wait|sorry|scratch|strike|correct|actually|rather|wrong|nonsense|people|they say|some |claim"
    r"|thought|myth|false|true|disagree|agree|believe|mean,|hang on|no[,.:]|not |n't"
)


def _sentences(segments: tuple[Segment, ...]) -> list[list[Segment]]:
    """The segments cut where sentences end; a marked stretch is never cut."""
    sentences: list[list[Segment]] = [[]]
    for segment in segments:
        parts = [segment.text] if segment.labels else _SENTENCE.split(segment.text)
        for i, part in enumerate(parts):
            if i and sentences[-1]:
                sentences.append([])
            if part:
                sentences[-1].append(Segment(part, segment.labels))
        if segment.text.rstrip(" ").endswith(_ENDS) and sentences[-1]:
            sentences.append([])
    return [sentence for sentence in sentences if sentence] or [[Segment(" ")]]


@lru_cache(maxsize=1)
def _equals() -> tuple[re.Pattern[str], dict[str, tuple[str, ...]]]:
    lines = [line for line in WORDS.read_text().splitlines() if line and not line.startswith("#")]
    equals: dict[str, tuple[str, ...]] = {}
    for line in lines:
        groups = [word.strip() for word in line.split("|")]
        words = [word.removeprefix("+") for word in groups]
        taken = {word.lower(): word for word in groups if not word.startswith("+")}
        equals |= {low: tuple(w for w in words if w != word) for low, word in taken.items()}
    longest_first = sorted(equals, key=len, reverse=True)
    return re.compile(
        rf"(?<![\w'-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w'-])", re.IGNORECASE
    ), equals
