"""A walk through every page in every state, for the tests that look at all of them."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from sqlalchemy import select
from starlette.testclient import TestClient

from app.domain import ladder
from app.domain.card import Card
from app.domain.checking.findings import Finding, Kind, State
from app.domain.running import RunSource, RunState
from app.runs import receipt_reading
from app.store.engine import Database
from app.store.models import Run, RunEvent
from app.web.receipt import page_of
from kernels.bench.protocol import from_preset
from kernels.lab import EXPERIMENTS
from tests.lab.runs import MEASURED
from tests.runs.benches import CHECK, DEVICE, FUSED, LIMIT, SEPARATE, SUMMARY
from tests.web.lab_runs import keep
from tests.web.practising import AS_HTMX, PAGE, begin, find, hand_in, kept, review

ANSWER = "The flops go down. Maybe the whole step is 3x. It keeps the trips away, not the matmuls."
REQUEST = from_preset("whisper-large", dtype="bf16", direction="forward")
PARAMETERS = {name: getattr(REQUEST, name) for name in REQUEST.__slots__}
DEVICE_FOUND = DEVICE | {"parameters": PARAMETERS, "versions": {"torch": "2.13"}}
END = SUMMARY | {"notes": ["A note."], "suspect": [], "formulas": {}, "state": {}, "seconds": 9.0}
EVENTS = (DEVICE_FOUND, CHECK, LIMIT, SEPARATE, FUSED, END)


def walk(client: TestClient, database: Database, card: Card) -> Iterator[tuple[str, str]]:
    """Each page met, as (what it is, its HTML)."""
    yield from _before_any_answer(client, card)
    yield from _an_answer(client, database)
    yield from _the_ladder(client, card)
    yield from _a_record_of_each_kind(client)
    yield from _runs(client, database)


def _get(client: TestClient, address: str) -> tuple[str, str]:
    return address, client.get(address).text


def _before_any_answer(client: TestClient, card: Card) -> Iterator[tuple[str, str]]:
    for address in ("/", PAGE, "/history", "/questions/none", f"{PAGE}?open=basics"):
        yield _get(client, address)
    yield "an error's part", client.get("/questions/none", headers=AS_HTMX).text
    everything = "&".join(f"open={rung.id}" for rung in ladder.rungs(card))
    yield _get(client, f"{PAGE}?{everything}")


def _an_answer(client: TestClient, database: Database) -> Iterator[tuple[str, str]]:
    attempt_id = begin(client)
    for address in (PAGE, "/", "/history", f"/attempts/{attempt_id}"):
        yield _get(client, address)
    client.post(f"/attempts/{attempt_id}/draft", data={"text": "elsewhere"})
    yield "the own view", hand_in(client, attempt_id, ANSWER).text
    yield _get(client, f"/attempts/{attempt_id}")
    _uncheck(database, attempt_id)
    yield "not checked", review(client, attempt_id, "round_trips").text
    client.post(f"/attempts/{attempt_id}/check")
    find(database, attempt_id, _findings())
    for address in (PAGE, "/", "/history", f"/attempts/{attempt_id}", f"{PAGE}?again=1"):
        yield _get(client, address)
    for row in kept(database, attempt_id).findings[:3]:
        dispute = f"/attempts/{attempt_id}/findings/{row.id}/dispute"
        yield "disputed", client.post(dispute, data={"words": "said"}).text


def _findings() -> list[Finding]:
    return [
        Finding(Kind.KEY_POINT, "round_trips", State.COVERED, 47, 66),
        Finding(Kind.KEY_POINT, "same_arithmetic", State.NOT_FOUND),
        Finding(Kind.KEY_POINT, "not_matmul", State.COVERED, 68, 83),
        Finding(Kind.PITFALL, "fewer_flops", State.FLAGGED, 0, 17),
        Finding(Kind.PITFALL, "whole_step_3x", State.POSSIBLE, 25, 45),
        Finding(Kind.PITFALL, "faster_matmul", State.REJECTED, 68, 83),
    ]


def _uncheck(database: Database, attempt_id: int) -> None:
    with database.changing() as session:
        attempt = session.merge(kept(database, attempt_id))
        attempt.checked_at = None
        session.commit()


def _the_ladder(client: TestClient, card: Card) -> Iterator[tuple[str, str]]:
    for rung in ladder.rungs(card):
        yield _get(client, f"{PAGE}?open={rung.id}")
    first, second, *_ = card.follow_ups
    yield "tried", client.post(f"{PAGE}/follow-ups/{first.id}/tries", data={"text": "T"}).text
    yield "aloud", client.post(f"{PAGE}/follow-ups/{second.id}/tries", data={"aloud": "1"}).text


def _a_record_of_each_kind(client: TestClient) -> Iterator[tuple[str, str]]:
    attempt_id = begin(client, "deep")
    yield _get(client, f"{PAGE}?open=basics")
    client.post(f"/attempts/{attempt_id}/draft", data={"text": "half"})
    client.post(f"/attempts/{attempt_id}/abandonment")
    yield _get(client, f"/attempts/{attempt_id}")


def _the_ledger(client: TestClient) -> Iterator[tuple[str, str]]:
    address = "/experiments/chain/ledger"
    yield _get(client, f"{address}?direction=backward&blanks=all")
    yield "a ledger checked", client.post(address, data={"ratio": "3", "fused.total": "3"}).text


def _runs(client: TestClient, database: Database) -> Iterator[tuple[str, str]]:
    yield _get(client, "/experiments")
    yield from _the_ledger(client)
    yield _get(client, "/calibration")
    for name in EXPERIMENTS:
        yield _get(client, f"/experiments/{name}")
    for state in RunState:
        yield _get(client, f"/runs/{a_run(database, state)}")
    for name in MEASURED:
        run_id = keep(database, name)
        yield _get(client, f"/experiments/{name}")
        yield _get(client, f"/runs/{run_id}")
        client.post(f"/runs/{run_id}/matches", data={"A": "zeros"})
        yield _get(client, f"/runs/{run_id}")
    guess = {"where": "recorded", "low": "1.5", "high": "2"}
    client.post("/experiments/width/runs", data=guess)
    for address in ("/runs", "/experiments", "/calibration"):
        yield _get(client, address)
    yield from _beside_each_other(client, database)


def _beside_each_other(client: TestClient, database: Database) -> Iterator[tuple[str, str]]:
    """Two runs compared, and one shown from its receipt, here and where there is no site."""
    this, other = (a_run(database, RunState.DONE) for _ in range(2))
    yield _get(client, f"/runs/{this}/comparison")
    yield _get(client, f"/runs/{this}/comparison?with={other}")
    receipt = receipt_reading.read(client.get(f"/runs/{this}/receipt.json").content)
    yield "a receipt by itself", page_of(receipt, datetime.now(UTC), styles="")
    with database.changing() as session:
        for run in session.scalars(select(Run).where(Run.id == other)):
            run.source = RunSource.IMPORTED
        session.commit()
    for address in (f"/runs/{other}", "/runs", f"/runs/{this}/comparison"):
        yield _get(client, address)


def a_run(database: Database, state: RunState) -> str:
    """A run in this state, with the events that a measurement prints; its id."""
    now = datetime.now(UTC)
    source = RunSource.RECORDED if state is RunState.DONE else RunSource.LIVE
    run = Run(uuid4().hex, "chain", _parameters(), source, state, now)
    run.started_at = None if state is RunState.WAITING else now
    run.finished_at = now if state.final else None
    run.deadline_at = now + timedelta(minutes=5)
    events = [RunEvent(run.id, seq, now, dict(body)) for seq, body in enumerate(EVENTS)]
    with database.changing() as session:
        session.add(run)
        session.flush()
        session.add_all(events)
        session.commit()
    return run.id


def _parameters() -> dict[str, str]:
    return {"preset": "whisper-large", "dtype": "bf16", "direction": "forward", "device": "gpu"}
