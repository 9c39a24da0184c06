"""The first card, as the content folder holds it."""

from app.domain.card import Card
from app.settings import ROOT
from app.store.importing import read_folder


def load() -> Card:
    """The card on the fused normalization chain."""
    cards = {card.slug: card for card in read_folder(ROOT / "content")}
    return cards["fused-normalization-chain"]
