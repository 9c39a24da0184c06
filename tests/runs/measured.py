"""Whole measurements with samples, as a benchmark prints them, and runs made of them."""

from datetime import UTC, datetime
from typing import Any

from app.domain.running import RunSource, RunState
from app.store.engine import Database
from app.store.models import Run, RunEvent
from kernels.lab.measures import compare
from tests.lab.evidence import around, result
from tests.runs.benches import CHECK, DEVICE, LIMIT, MB, PARAMETERS, SUMMARY

MADE = datetime(2026, 11, 30, 18, 45, 1, tzinfo=UTC)
VERSIONS = {"python": "3.12.3", "torch": "2.11.0", "triton": "3.6.0", "kernels_sha256": "ab12"}
STATE = {"sm_mhz": 1980, "memory_mhz": 3201, "throttle_reasons": 0, "processes": 1}
METHOD = {"statistic": "median, with p10 and p90", "repetitions": 30, "seed": 20260}


def a_measurement(
    separate: float = 220.0, fused: float = 100.0, *, suspect: tuple[str, ...] = (), **device: Any
) -> list[dict[str, Any]]:
    """The chain's events, with 30 samples around these medians in µs."""
    samples = {"separate": around(separate), "fused": around(fused)}
    compared = compare("separate", "fused", samples)
    said = {name: compared[name] for name in ("speedup", "low", "high")}
    return [
        DEVICE | {"at": MADE.isoformat(), "versions": VERSIONS, "experiment": "chain"} | device,
        CHECK,
        LIMIT,
        _result("separate", samples["separate"], 860),
        _result("fused", samples["fused"], 369),
        SUMMARY
        | {"comparisons": [compared], "notes": ["A note."], "suspect": list(suspect)}
        | {"method": METHOD, "state": {"before": STATE, "after": STATE}, "seconds": 9.0}
        | said,
    ]


def _result(variant: str, samples: list[float], megabytes: int) -> dict[str, Any]:
    rate = megabytes * MB / samples[len(samples) // 2] / 1000
    counted = {"bytes": megabytes * MB, "flops": 13 * 61 * MB, "gb_per_s": rate}
    share = {"share_of_limit": rate / LIMIT["add_gb_per_s"]}
    facts = counted | share | {"launches": 1, "peak_memory_bytes": None}
    return result(variant, samples, **facts)


def keep(database: Database, run_id: str, events: list[dict[str, Any]], **others: Any) -> str:
    """Have a run that is done, with these events; its id."""
    now = datetime.now(UTC)
    values: dict[str, Any] = {
        "experiment": "chain",
        "parameters": PARAMETERS | {"device": "gpu"},
        "source": RunSource.RECORDED,
        "state": RunState.DONE,
        "requested_at": now,
        "started_at": now,
        "finished_at": now,
    }
    with database.changing() as session:
        session.add(Run(id=run_id, **values | others))
        session.flush()
        for seq, event in enumerate(events):
            session.add(RunEvent(run_id=run_id, seq=seq, at=now, body=event))
        session.commit()
    return run_id
