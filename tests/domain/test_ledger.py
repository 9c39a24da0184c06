"""The ledger with blanks: its truth is the kernels' own count, and a miscount is told with why."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.ledger_check import State, check, sentence
from app.domain.ledger_quiz import quiz
from app.domain.ledger_reasons import WHY
from kernels.traffic import Chain, tensor_transfers

DIRECTIONS = ("forward", "backward")
directions = st.sampled_from(DIRECTIONS)
blanks = st.sampled_from(["some", "all"])


def filled(asked, **others: str) -> dict[str, str]:
    """Every blank filled in as it is, but for some of them."""
    return {cell.id: f"{cell.truth:.4g}" for cell in asked.blanks} | {
        name.replace("_", "."): typed for name, typed in others.items()
    }


def verdict(asked, id: str, typed: str):
    return next(v for v in check(asked, filled(asked) | {id: typed}) if v.cell.id == id)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_totals_are_those_of_the_kernels_own_ledger(direction):
    chain = Chain(rows=100, features=64)
    totals = {a.title: a.total.truth for a in quiz(direction).accounts}
    assert totals == {
        "Separate kernels": tensor_transfers(chain, "separate", direction),
        "One pass": tensor_transfers(chain, "fused", direction),
    }


def test_the_forward_is_seven_against_three_and_the_backward_six_against_three():
    told = {d: [a.total.truth for a in quiz(d).accounts] for d in DIRECTIONS}
    assert told == {"forward": [7, 3], "backward": [6, 3]}


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_every_kernel_has_a_reason_for_what_it_reads_and_writes(direction):
    lines = [line for account in quiz(direction).accounts for line in account.lines]
    assert all((line.stage, what) in WHY for line in lines for what in ("reads", "writes"))


@settings(deadline=None)
@given(directions, blanks)
def test_some_cells_are_given_unless_all_are_blank(direction, how_many):
    asked = quiz(direction, how_many)
    given_cells = [cell for cell in asked.cells if cell.given]
    assert bool(given_cells) == (how_many == "some")
    assert len({cell.id for cell in asked.cells}) == len(asked.cells)


@settings(deadline=None)
@given(directions, blanks)
def test_a_ledger_filled_in_as_it_is_holds(direction, how_many):
    asked = quiz(direction, how_many)
    verdicts = check(asked, filled(asked))
    assert {v.state for v in verdicts} == {State.HOLDS}
    assert sentence(verdicts) == "The whole ledger holds."


@settings(deadline=None)
@given(directions, blanks, st.data())
def test_one_miscounted_cell_is_named_and_no_other(direction, how_many, data):
    asked = quiz(direction, how_many)
    cell = data.draw(st.sampled_from(asked.blanks))
    wrong = data.draw(st.integers(0, 99).filter(lambda n: abs(n - cell.truth) > 0.1))
    verdicts = check(asked, filled(asked) | {cell.id: str(wrong)})
    miscounted = [v.cell.id for v in verdicts if v.state is State.MISCOUNTED]
    assert miscounted == [cell.id]
    assert "the rest holds" in sentence(verdicts)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from([c.id for c in quiz("forward", "all").cells]), st.text()))
def test_whatever_is_typed_gets_a_verdict(typed):
    verdicts = check(quiz("forward", "all"), typed)
    assert len(verdicts) == len(quiz("forward", "all").blanks)
    assert sentence(verdicts).endswith(".")
    assert all(v.told for v in verdicts if v.state in (State.MISCOUNTED, State.UNREADABLE))


def test_a_miscount_says_what_is_moved_and_why():
    told = verdict(quiz("forward"), "separate.2.reads", "1").told
    assert told == (
        "You said 1 B; it reads 2 B: g and residual. "
        "A sum has two operands: the residual comes from memory like any tensor."
    )


@pytest.mark.parametrize(
    ("cell", "typed"), [("separate.total", "6"), ("fused.total", "2"), ("ratio", "3")]
)
def test_the_count_without_the_residual_is_known_as_such(cell, typed):
    assert "leaves the residual out" in verdict(quiz("forward"), cell, typed).told


def test_a_total_of_miscounted_cells_is_told_to_follow_from_them():
    asked = quiz("forward")
    typed = filled(asked) | {"separate.1.reads": "2", "separate.total": "8"}
    told = {v.cell.id: v.told for v in check(asked, typed)}
    assert "8 B is what your cells add up to" in told["separate.total"]


@pytest.mark.parametrize("typed", ["7/3", "2.33", "2,33×", "2.3", "7 : 3", " 2.333 x"])
def test_a_ratio_is_taken_as_people_write_it(typed):
    assert verdict(quiz("forward"), "ratio", typed).state is State.HOLDS


@pytest.mark.parametrize("typed", ["two", "-1", "1.5", "100", "1e3", "²", "9" * 50])
def test_what_is_no_count_is_answered_with_what_would_be_one(typed):
    found = verdict(quiz("forward"), "separate.1.reads", typed)
    assert (found.state, found.told) == (
        State.UNREADABLE,
        "Say how many whole tensors as a number from 0 to 99.",
    )


def test_a_ratio_over_nothing_is_no_ratio():
    assert verdict(quiz("forward"), "ratio", "7/0").state is State.UNREADABLE


def test_blanks_left_empty_are_counted_and_not_called_wrong():
    asked = quiz("backward")
    assert sentence(check(asked, {})) == "Nothing is filled in yet."
    one = check(asked, {"separate.1.reads": "2"})
    assert sentence(one) == "What you filled in holds; 6 blanks still to fill."
    both = check(asked, {"separate.1.reads": "1", "separate.1.writes": "1"})
    assert sentence(both) == "Look again at what norm backward reads; 5 blanks still to fill."


@pytest.mark.parametrize(
    ("direction", "why"),
    [("forward", "7 B ÷ 3 B, the residual counted."), ("backward", "6 B ÷ 3 B.")],
)
def test_the_ratio_speaks_of_the_residual_only_where_one_is_read(direction, why):
    assert quiz(direction).ratio.why == why
