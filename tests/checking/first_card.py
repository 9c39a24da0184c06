"""The first card's claims as the checker needs them, read from its draft."""

from pathlib import Path

import yaml

from app.domain.card import Card, Concept, KeyPoint, Pitfall, Prose

DRAFT = Path(__file__).parents[2] / "content" / "_checking-draft.yaml"


def load() -> Card:
    fields = yaml.safe_load(DRAFT.read_text())
    return card_of(fields)


def card_of(fields: dict) -> Card:
    """A card with the given checking fields and nothing else."""
    empty = Prose("", "")
    points = {i: _tuples(f) for i, f in fields["key_points"].items()}
    pitfalls = {i: _tuples(f) for i, f in fields["pitfalls"].items()}
    return Card(
        slug="fused-normalization-chain",
        title="",
        topic="",
        prompt=empty,
        five_lines=(),
        tiers=(),
        levels=(),
        sections=(),
        follow_ups=(),
        picture=empty,
        claims=(),
        content_hash="",
        concepts=tuple(Concept(k, tuple(v)) for k, v in fields.get("concepts", {}).items()),
        key_points=tuple(KeyPoint(i, i, "solid", **f) for i, f in points.items()),
        pitfalls=tuple(Pitfall(i, i, "", "", "solid", **f) for i, f in pitfalls.items()),
    )


def _tuples(fields: dict) -> dict:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in fields.items()}
