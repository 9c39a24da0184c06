"""The ladder of a card."""

from app.domain.ladder import prose_of, rungs


def test_the_ladder_goes_from_the_basics_to_the_five_lines(card):
    kinds = [rung.kind for rung in rungs(card)]
    order = ["tier", "level", "explanation", "claims", "follow-up", "picture", "pitfalls"]
    assert list(dict.fromkeys(kinds)) == [*order, "five-lines"]


def test_every_rung_has_an_id_of_its_own(card):
    ids = [rung.id for rung in rungs(card)]
    assert len(set(ids)) == len(ids)


def test_every_tier_and_level_has_a_passage_to_show(card):
    for rung in rungs(card):
        assert (prose_of(card, rung) is not None) == (rung.kind in ("tier", "level"))
