"""The ladder of a card."""

from dataclasses import replace

from app.domain.ladder import claims_in, explaining, prose_of, rung_of, rungs, teaching


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


def test_what_can_explain_a_pitfall_is_a_rung_of_this_ladder(card):
    levels = [level.id for level in card.levels]
    ids = explaining(levels, [follow_up.id for follow_up in card.follow_ups])
    assert set(ids) <= {rung.id for rung in rungs(card)}


def test_every_pitfall_of_the_first_card_leads_to_a_rung(card):
    for pitfall in card.pitfalls:
        rung = rung_of(card, pitfall.explained_in)
        assert rung is not None, pitfall.id
        assert rung.kind not in ("pitfalls", "five-lines", "claims")


def test_a_rung_that_left_the_card_is_not_found(card):
    assert rung_of(card, "follow-up-gone") is None
    assert rung_of(card, None) is None


def test_a_claim_stands_where_the_card_makes_it_and_where_all_are_shown(card):
    assert [claim.id for claim in claims_in(card, "basics")] == ["same_flops"]
    assert claims_in(card, "claims") == card.claims
    counted = {claim.id for claim in claims_in(card, "explanation")}
    assert {"traffic", "reach_of_the_reduction"} <= counted
    assert claims_in(card, "five-lines") == ()


def test_a_key_point_is_read_in_the_shortest_answer_that_holds_it(card):
    found = {point.id: teaching(card, point) for point in card.key_points}
    for point, rung in found.items():
        assert rung is not None
        assert rung.id == ("basics" if point in card.tier("basics").asks else "solid")


def test_one_that_only_the_deep_answer_owes_where_its_pitfall_is_explained(card):
    tiers = tuple(replace(tier, asks=("round_trips",)) for tier in card.tiers)
    deep = replace(card, tiers=tiers)
    assert teaching(deep, card.key_point("not_matmul")).id == "follow-up-two-matmuls"
    assert teaching(deep, card.key_point("reduction")).id == "explanation"
