"""The job queue, in one place: DBOS on the application's own database.

A run's row is the truth; a job only says that a worker should look at it. Jobs
are stored in the transaction that stores the run, so neither is ever without
the other, and a job whose run has ended meanwhile does nothing.

What the library needs to be told:
- inputs as JSON, since its default is pickle;
- one application version, else a new release never touches the old one's jobs;
- an executor id that a worker keeps over restarts, so that it finds its own jobs;
- an engine of its own, since it relies on its driver's way to begin transactions.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dbos import DBOS, DBOSClient, DBOSConfig, EnqueueOptions
from dbos import DBOSPortableJSONSerializer as PortableJson
from sqlalchemy import Engine, create_engine, event, make_url
from sqlalchemy.orm import Session

from app.domain.running import RunDevice
from app.store.engine import BUSY_TIMEOUT_MS, Database
from app.store.old_sqlite import teach_subsec

APPLICATION = "ridgepoint"
VERSION = "1"
JOB = "run"
POLL_SECONDS = 0.5
LAST_JOB_SECONDS = 5


@dataclass(frozen=True, slots=True)
class Jobs:
    """Puts jobs into the queue, within a caller's transaction."""

    client: DBOSClient

    def put(self, session: Session, run_id: str, device: RunDevice) -> None:
        """Ask a worker with `device` to look at the run, once the session has committed."""
        options: EnqueueOptions = {
            "workflow_name": JOB,
            "queue_name": device.value,
            "workflow_id": run_id,
            "app_version": VERSION,
        }
        self.client.enqueue_in_transaction(session, options, run_id)


def open_jobs(database: Database) -> Jobs:
    """The way to put jobs into `database`; nothing is connected by this."""
    return Jobs(
        DBOSClient(
            system_database_engine=database.engine,  # only its dialect: put() brings a connection
            serializer=PortableJson(),
            application_name=APPLICATION,
            lazy=True,
        )
    )


def make_tables(url: str) -> None:
    """Create or upgrade the queue's own tables: asking for a run needs no worker to be there."""
    DBOS.migrate(url)


def work(
    url: str, executor: str, devices: tuple[RunDevice, ...], job: Callable[[str], None]
) -> None:
    """Take jobs for these devices in background threads, at most one for each device.

    A job that this executor had in hand when it died is taken again at once.
    """
    DBOS(config=_config(url, executor))
    DBOS.workflow(name=JOB)(_as_one_step(job))
    DBOS.listen_queues([device.value for device in devices])
    DBOS.launch()
    for device in devices:
        DBOS.register_queue(
            device.value,
            worker_concurrency=1,
            polling_interval_sec=POLL_SECONDS,
            on_conflict="always_update",
        )


def hand_on_jobs_of(executor: str) -> None:
    """Give the jobs that a lost executor had in hand back to the queue."""
    # The library keeps recovery to its paid console; this is what that calls.
    DBOS._recover_pending_workflows([executor])  # pyright: ignore[reportPrivateUsage]


def stop() -> None:
    """Take no more jobs, let the one in hand come to its end, and close the connections."""
    DBOS.destroy(workflow_completion_timeout_sec=LAST_JOB_SECONDS)


def _as_one_step(job: Callable[[str], None]) -> Callable[[str], None]:
    def run(run_id: str) -> None:
        DBOS.run_step({"name": JOB}, job, run_id)

    return run


def _config(url: str, executor: str) -> DBOSConfig:
    return {
        "name": APPLICATION,
        "system_database_url": url,
        "system_database_engine": _engine(url),
        "application_version": VERSION,
        "executor_id": executor,
        "serializer": PortableJson(),
        "log_level": "WARNING",
        "run_migrations": True,
    }


def _engine(url: str) -> Engine:
    if make_url(url).get_backend_name() != "sqlite":
        return create_engine(url, pool_pre_ping=True)
    engine = create_engine(url)
    event.listen(engine, "connect", _set_sqlite_habits)
    return engine


def _set_sqlite_habits(connection: Any, _record: Any) -> None:
    connection.isolation_level = "IMMEDIATE"  # as the library sets it on an engine it makes
    connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    connection.execute("PRAGMA foreign_keys = ON")
    teach_subsec(connection)
