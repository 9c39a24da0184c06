"""What the network learns from: made answers keep their labels, whatever is done to their words."""

import random

import numpy as np
import pytest

from app.domain.checking.weights import FOLDER
from tests.checking.markup import LABELS, parse
from tests.checking.training.augment import may_be_cut, mixed, reworded
from tests.checking.training.compose import load_pool
from tests.checking.training.lines import Line, seen_lines
from tests.checking.training.packed import Cutter, batches, bits_of, text_of
from tests.checking.training.subjects import STATEMENTS, batch_of, load_subjects

FRAGMENTS = FOLDER / "fragments"
OTHERS = load_subjects(FRAGMENTS / "other.txt")


def line(text: str) -> Line:
    return Line(parse(f"@x-1 test\n{text}")[0].segments)


def test_other_words_for_the_same_leave_labels_and_negations_alone():
    segments = line("No. [[F- The FLOPs don't drop]], [[S- only the chain is three times faster]].")
    for seed in range(40):
        swapped = reworded(segments.segments, random.Random(seed))
        assert [s.labels for s in swapped] == [s.labels for s in segments.segments]
        assert "No." in text_of(swapped)
        assert "don't" in text_of(swapped)


def test_answers_put_together_bring_their_marks_along_whole():
    one = line("First this. [[rt Each op reads. And writes.]] Then that.")
    two = line("[[F- Same maths.]] So much for that. [[la One launch.]]")
    for seed in range(20):
        for segment in mixed([one, two], random.Random(seed)).segments:
            if segment.labels:
                assert segment in (*one.segments, *two.segments)


def test_an_answer_that_takes_something_back_is_not_cut():
    assert may_be_cut(line("It's this. [[F- Same maths.]]"))
    assert not may_be_cut(line("It's less maths, no wait, that's wrong. [[F- Same maths.]]"))


def test_the_sentences_that_stand_for_another_subjects_claim_are_in_none_of_its_answers():
    wrappers = load_pool(FRAGMENTS, ()).wrappers
    made, sentences = batch_of(OTHERS, wrappers, 20, random.Random(3))
    assert len(sentences) == STATEMENTS * len(LABELS)
    words = {segment.text for answer in made for segment in answer.segments}
    assert not words & set(sentences)


def test_a_batch_holds_each_answers_labels_on_its_own_pieces():
    pools = [load_pool(FRAGMENTS, seen_lines()[:40])] * 2
    cutter = Cutter(FOLDER / "vocab.txt")
    batch = next(batches(pools, OTHERS, cutter, random.Random(1), 4))
    assert batch.ids.shape == batch.bits.shape
    assert batch.ids.shape[:2] == batch.whole.shape == (2, 4)
    assert not batch.bits[batch.ids == 0].any()
    on_pieces = np.bitwise_or.reduce(batch.bits, axis=2)
    assert (on_pieces | batch.whole == batch.whole).all()
    assert bits_of(frozenset({LABELS[0], LABELS[3]})) == 0b1001


def test_stacked_networks_say_what_each_of_them_says():
    torch = pytest.importorskip("torch")
    from tests.checking.training import stacked
    from tests.checking.training.model import Judge

    states = []
    for seed in range(2):
        torch.manual_seed(seed)
        states.append(Judge().state_dict())
    states[1][stacked.SHARED] = states[0][stacked.SHARED]
    ids = torch.tensor([[[101, 2054, 2003, 102], [101, 2748, 102, 0]]] * 2)
    weights = stacked.stacked(states)
    with torch.no_grad(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(stacked, "DROPPED", 0.0)
        tokens, claims = stacked.directions(weights, ids, ids)
        for i, state in enumerate(states):
            mask = (ids[i] > 0).float()
            alone, said = stacked.judge_of(state)(ids[i], mask)
            assert torch.allclose(tokens[i][mask > 0], alone[mask > 0], atol=1e-4)
            assert torch.allclose(claims[i], said, atol=1e-4)
