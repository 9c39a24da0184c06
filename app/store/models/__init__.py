"""The tables. Relations are never followed lazily: a page states what it loads.

A card is one row: its parts are addressed by the stable ids in the card file,
so what a learner did refers to them by those ids and survives every edit.
"""

from app.store.models.base import Base
from app.store.models.moments import answer_seconds, is_open, study_seconds
from app.store.models.practice import Attempt, CardRow, FindingRow, Learner, Reveal
from app.store.models.runs import Prediction, Run, RunEvent, Sight, Worker

__all__ = [
    "Attempt",
    "Base",
    "CardRow",
    "FindingRow",
    "Learner",
    "Prediction",
    "Reveal",
    "Run",
    "RunEvent",
    "Sight",
    "Worker",
    "answer_seconds",
    "is_open",
    "study_seconds",
]
