"""Key points: not credited by their opposite, nor lost to what stands around a sentence."""

from collections import defaultdict
from functools import lru_cache

import pytest

from app.domain.checking.check import check
from app.domain.checking.findings import Finding, State
from tests.checking.first_card import load
from tests.checking.quality import development
from tests.checking.scoring import HERE

CARD = load()
POINTS = [point.id for point in CARD.key_points]
FEWEST = 8  # contrary sentences of each point


def covered(answer: str) -> dict[str, Finding]:
    return {f.ref: f for f in check(answer, CARD) if f.state is State.COVERED}


@lru_cache(maxsize=1)
def contraries() -> dict[str, list[str]]:
    told = defaultdict(list)
    for line in (HERE / "contraries.txt").read_text().splitlines()[1:]:
        ref, _, sentence = line.partition(" | ")
        told[ref].append(sentence)
    return told


@pytest.mark.parametrize("ref", POINTS)
def test_the_opposite_of_a_point_is_never_credited(ref: str):
    assert [sentence for sentence in contraries()[ref] if ref in covered(sentence)] == []


@pytest.mark.parametrize("ref", POINTS)
def test_every_point_has_contraries_to_try(ref: str):
    assert len(set(contraries()[ref])) >= FEWEST


@pytest.mark.parametrize(
    ("ref", "answer"),
    [
        (
            "launches_temporaries",
            "Separate kernels need extra launches and temporaries.",
        ),
        ("launches_temporaries", "It doesn't add launches, it saves two."),
        ("bandwidth_bound", "The matmuls are compute-bound, but the chain is memory-bound."),
        ("bandwidth_bound", "It isn't the maths that limits it, bandwidth is the bottleneck."),
        ("same_arithmetic", "No more and no fewer FLOPs than before: the count is the same."),
        ("on_chip", "Nothing leaves the chip, the row stays in registers throughout."),
        (
            "round_trips",
            "Without fusing, it still goes out to HBM and back after every op.",
        ),
        ("share_cap", "You can't win more than the chain's share of the step."),
        ("traffic_ratio", "Six transfers become two."),
        ("traffic_ratio", "You still need two transfers, not six."),
        ("same_arithmetic", "It doesn't add any FLOPs and it doesn't remove any."),
        ("round_trips", "There's still one read and one write, but the trips in between are gone."),
        ("bandwidth_bound", "Not compute-bound: these ops wait for HBM."),
        ("reduction", "You can't skip the wait: the reduction over the features comes first."),
        ("backward", "Without a second fused kernel the gradients still go through HBM."),
        ("launches_temporaries", "No extra launches, no extra buffers."),
        ("on_chip", "Nothing is spilled, the tile stays on chip."),
    ],
)
def test_a_point_said_by_way_of_its_opposite_is_credited(ref: str, answer: str):
    assert ref in covered(answer)


def test_a_point_is_credited_beside_its_opposite_in_another_sentence():
    answer = "Some say that fusing adds launches. In fact two of the three launches go away."
    found = covered(answer)["launches_temporaries"]
    assert answer[found.start : found.end].startswith("two of the three launches")


END = (
    "Doesn't touch the matmuls, backward has its own traffic, and the step only improves by the "
    "chain's share."
)


def test_words_before_a_sentence_take_nothing_from_it():
    answer = (
        "Each stage writes the tensor to HBM and the next one reads it back. Same FLOPs. One pass "
        "reads it once and writes it once, so it takes about a third of the time. " + END
    )
    found = covered(answer)
    assert {"not_matmul", "backward", "share_cap", "round_trips"} <= found.keys()
    assert answer[found["backward"].start : found["backward"].end].startswith("backward has its")


@lru_cache(maxsize=1)
def sentences() -> tuple[tuple[str, str, str], ...]:
    """The credited sentences of labelled answers: the answer, the sentence, the point."""
    told = []
    for answer in development()[::6]:
        text = answer["text"]
        for sentence in (part.strip() for part in text.replace(". ", ".\n").splitlines()):
            told += [
                (text, sentence, ref) for ref in covered(sentence) if answer["key_points"][ref]
            ]
    return tuple(told)


def test_a_sentence_credited_alone_stays_credited_in_its_answer():
    lost = [(ref, sentence) for text, sentence, ref in sentences() if ref not in covered(text)]
    assert len(sentences()) > 100
    assert len(lost) <= 0.02 * len(sentences()), lost


def test_a_quote_is_never_shorter_than_three_words_of_a_sentence_that_has_them():
    for answer in development()[::6]:
        text = answer["text"]
        for found in covered(text).values():
            words = text[found.start : found.end].split()
            assert len(words) >= 3 or found.start is None or _is_short(text, found), words


def _is_short(text: str, found: Finding) -> bool:
    """Whether the quote is the whole of what stands between two ends of sentences."""
    before, after = text[: found.start].rstrip(), text[found.end :].lstrip()
    return (not before or before[-1] in ".!?;…\n") or not after or after[0] in ".!?;…"
