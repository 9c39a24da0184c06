"""The first card's file, to be read as it is and with changes."""

from pathlib import Path

from app.domain.card import Card, Topic
from app.settings import ROOT
from app.store.card_file import read_card
from kernels.lab import EXPERIMENTS

TOPICS = {"gpu-performance": Topic("gpu-performance", "GPU performance", 0)}
SOURCE = (ROOT / "content" / "fused-normalization-chain.md").read_text(encoding="utf-8")


def read(path: Path, source: str) -> Card:
    """The card in `source`, which is written to `path` first."""
    path.write_text(source, encoding="utf-8")
    return read_card(path, topics=TOPICS, experiments=EXPERIMENTS)
