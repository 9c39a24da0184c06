"""The latest evidence on a claim: one's own run, else the usual recording, never another's."""

from datetime import timedelta

import pytest

from app.domain.running import RunSource, RunState
from app.runs import evidence
from app.runs.evidence import Line, NotWorkedOut, lines
from app.store.engine import Database
from app.store.models import Learner
from tests.lab.evidence import device, result
from tests.runs.conftest import a_learner
from tests.runs.measured import MADE, PARAMETERS, a_measurement, keep

NOW = MADE + timedelta(days=1)


def latest(database: Database, learner: Learner | None = None) -> Line | None:
    with database.reading() as session:
        return lines(session, learner.id if learner else None, {"chain"}).get("chain")


def told(database: Database, learner: Learner | None = None) -> str:
    line = latest(database, learner)
    assert line is not None
    return line.words(NOW)


def recorded(database: Database, run_id: str, separate: float = 220.0, **parameters: str) -> None:
    asked = PARAMETERS | {"device": "gpu"} | parameters
    keep(database, run_id, a_measurement(separate), parameters=asked, finished_at=MADE)


def own(database: Database, run_id: str, learner: Learner, days: int, separate: float) -> None:
    at = MADE + timedelta(days=days)
    values = {"source": RunSource.LIVE, "learner_id": learner.id, "finished_at": at}
    keep(database, run_id, a_measurement(separate), **values)


def test_without_any_run_there_is_no_evidence(database: Database):
    assert latest(database) is None


def test_a_recorded_run_is_told_with_its_device_and_day(database: Database):
    recorded(database, "r1")
    assert told(database) == "7/3 = 2.33× by bytes; 2.20× measured on Test device, 30 Nov"
    line = latest(database)
    assert line is not None and line.recorded and line.run.id == "r1"


def test_another_year_is_told(database: Database):
    recorded(database, "r2")
    line = latest(database)
    assert line is not None
    assert line.words(NOW + timedelta(days=300)).endswith("on Test device, 30 Nov 2026")


def test_ones_own_latest_run_comes_first(database: Database, learner: Learner):
    recorded(database, "r3")
    own(database, "o1", learner, 1, 230.0)
    own(database, "o2", learner, 3, 240.0)
    own(database, "o3", learner, 2, 250.0)
    line = latest(database, learner)
    assert line is not None and (line.run.id, line.recorded) == ("o2", False)
    assert "2.40× measured" in told(database, learner)
    assert "2.20× measured" in told(database)


def test_of_the_recordings_the_one_with_the_usual_choices_counts(database: Database):
    for run_id, parameters in (
        ("r4", {"direction": "backward"}),
        ("r5", {}),
        ("r6", {"preset": "hubert-base", "dtype": "fp32"}),
    ):
        recorded(database, run_id, **parameters)
    line = latest(database)
    assert line is not None and line.run.id == "r5"


def test_what_is_anothers_imported_or_without_a_result_is_no_evidence(
    database: Database, learner: Learner
):
    own(database, "theirs", a_learner(database), 1, 230.0)
    keep(database, "imp", a_measurement(), source=RunSource.IMPORTED)
    failed = {"source": RunSource.LIVE, "learner_id": learner.id, "state": RunState.FAILED}
    keep(database, "failed", a_measurement(), **failed)
    assert latest(database, learner) is None


def test_a_run_that_speaks_against_the_claim_says_so(database: Database):
    keep(database, "against", a_measurement(80.0, 100.0))
    line = latest(database)
    assert line is not None and line.against == "the claim does not hold here"


def test_a_suspect_run_says_so(database: Database):
    keep(database, "doubtful", a_measurement(suspect=("Other processes used the GPU.",)))
    line = latest(database)
    assert line is not None and line.suspect == "Other processes used the GPU."


def test_one_who_cannot_wait_is_told_before_a_conclusion_is_drawn(database: Database):
    keep(database, "not yet", a_measurement())
    with database.reading() as session:
        with pytest.raises(NotWorkedOut):
            lines(session, None, {"chain"}, patient=False)
        lines(session, None, {"chain"})
        assert "chain" in lines(session, None, {"chain"}, patient=False)


def test_nothing_is_asked_where_nothing_is_claimed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(evidence, "select", None)
    assert lines(None, 1, set()) == {}  # pyright: ignore[reportArgumentType]


def test_what_does_not_end_in_a_measurement_has_its_device_apart(database: Database):
    swept = [
        result("fused", 100.0, {"features": 1024}, bytes=400_000, strategy="whole"),
        result("fused", 180.0, {"features": 65_536}, bytes=400_000, strategy="looped"),
    ]
    summary = {"event": "summary", "method": {}, "suspect": [], "notes": []}
    events = [device("width"), *swept, summary]
    keep(database, "swept", events, experiment="width", finished_at=MADE)
    with database.reading() as session:
        line = lines(session, None, {"width"})["width"]
    assert line.words(NOW).endswith("the best that fits (on Test Device, 30 Nov)")


def test_choices_that_are_not_usual_are_told(database: Database):
    recorded(database, "chosen", direction="backward", dtype="fp32")
    assert told(database).endswith("measured on Test device, 30 Nov (float32, backward)")


def test_a_processors_run_says_that_it_was_one(database: Database):
    recorded(database, "processor", device="cpu")
    assert told(database).endswith("30 Nov (CPU edition)")
