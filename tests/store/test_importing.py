"""Importing cards: all or none, again and again, and nothing that learners did is lost."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from app.domain.card import Card
from app.domain.checking.findings import Kind, State
from app.settings import ROOT
from app.store import cards as stored
from app.store import learners
from app.store.card_faults import CardFileError
from app.store.engine import Database
from app.store.importing import Imported, import_cards, read_folder
from app.store.models import Attempt, CardRow, FindingRow


def imported(database: Database, cards: list[Card], now: datetime) -> Imported:
    with database.changing() as session:
        done = import_cards(session, cards, now)
        session.commit()
    return done


def rows(database: Database) -> dict[str, tuple[int, str, datetime | None]]:
    with database.reading() as session:
        found = session.scalars(select(CardRow)).all()
        return {row.slug: (row.id, row.content_hash, row.retired_at) for row in found}


def test_importing_twice_changes_nothing(
    database: Database, cards: list[Card], now: datetime
) -> None:
    assert imported(database, cards, now).added == tuple(card.slug for card in cards)
    before = rows(database)
    again = imported(database, cards, now + timedelta(days=1))
    assert again.unchanged == tuple(card.slug for card in cards)
    assert rows(database) == before


def test_what_comes_back_from_the_database_is_the_card_that_went_in(
    database: Database, card: Card, now: datetime
) -> None:
    imported(database, [card], now)
    with database.reading() as session:
        found = stored.find(session, card.slug)
    assert found is not None
    assert found.card == card


def test_an_edited_card_keeps_its_row_and_what_learners_did(
    database: Database, card: Card, now: datetime
) -> None:
    imported(database, [card], now)
    row_id = rows(database)[card.slug][0]
    with database.changing() as session:
        attempt = Attempt(
            learner_id=learners.create(session, now).id,
            card_id=row_id,
            content_hash=card.content_hash,
            tier="solid",
            target_seconds=50,
            started_at=now,
            answer="an answer",
            handed_in_at=now,
        )
        session.add(attempt)
        session.flush()
        session.add(
            FindingRow(attempt.id, Kind.PITFALL, "fewer_flops", State.FLAGGED, 0, 2, ["said"])
        )
        session.commit()
    edited = replace(card, title="Another title", content_hash="another hash")
    assert imported(database, [edited], now).changed == (card.slug,)
    assert rows(database)[card.slug][:2] == (row_id, "another hash")
    with database.reading() as session:
        assert session.scalars(select(Attempt.content_hash)).all() == [card.content_hash]
        assert session.scalars(select(FindingRow.ref)).all() == ["fewer_flops"]


def test_a_card_whose_file_is_gone_is_retired_and_comes_back_as_the_same_row(
    database: Database, card: Card, now: datetime
) -> None:
    imported(database, [card], now)
    row_id = rows(database)[card.slug][0]
    assert imported(database, [], now).retired == (card.slug,)
    assert rows(database)[card.slug][2] == now
    with database.reading() as session:
        assert stored.find(session, card.slug) is None
        assert list(stored.by_row_ids(session, [row_id])) == [row_id]
    assert imported(database, [card], now).changed == (card.slug,)
    assert rows(database)[card.slug] == (row_id, card.content_hash, None)


def test_one_bad_file_keeps_every_card_out_and_all_faults_are_told(tmp_path: Path) -> None:
    good = (ROOT / "content" / "fused-normalization-chain.md").read_text(encoding="utf-8")
    (tmp_path / "topics.yaml").write_text("gpu-performance: GPU\n", encoding="utf-8")
    (tmp_path / "a.md").write_text(good, encoding="utf-8")
    (tmp_path / "b.md").write_text(good.replace("# Picture", "# Image"), encoding="utf-8")
    (tmp_path / "c.md").write_text("no card", encoding="utf-8")
    with pytest.raises(CardFileError) as caught:
        read_folder(tmp_path)
    assert {fault.path.name for fault in caught.value.faults} == {"b.md", "c.md"}


def test_two_files_with_one_slug_are_refused(tmp_path: Path) -> None:
    good = (ROOT / "content" / "fused-normalization-chain.md").read_text(encoding="utf-8")
    (tmp_path / "topics.yaml").write_text("gpu-performance: GPU\n", encoding="utf-8")
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(good, encoding="utf-8")
    with pytest.raises(CardFileError, match=r"b\.md:1: slug .* is another card's too"):
        read_folder(tmp_path)
