"""Figures for Prometheus at /metrics.

The figures of requests are this process's own: with several web processes each
is a target of its own, and adding up is Prometheus's work. What the database
knows (attempts, checks, runs) is counted there at each scrape, so every
process tells the same of it: take the maximum over them, not the sum.
"""

from collections.abc import Iterable

from fastapi import APIRouter, Request
from fastapi.responses import Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import generate_latest
from sqlalchemy.exc import SQLAlchemyError

from app.store import tallies
from app.store.engine import Database

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

router = APIRouter(include_in_schema=False)


class RequestFigures:
    """How many requests one application has answered, and how fast."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "ridgepoint_requests",
            "Requests answered, by method, route and status.",
            ["method", "route", "status"],
            registry=self.registry,
        )
        self._seconds = Histogram(
            "ridgepoint_request_seconds",
            "Seconds from a request's arrival until its answer began.",
            ["method", "route"],
            buckets=SECONDS,
            registry=self.registry,
        )

    def note(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one answered request; made-up methods share one name, else anyone adds series."""
        known = method if method in METHODS else "OTHER"
        self._requests.labels(known, route, str(status)).inc()
        self._seconds.labels(known, route).observe(seconds)


class DatabaseFigures:
    """What the database holds, asked anew for each scrape."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def collect(self) -> Iterable[Metric]:
        """The figures; only `ridgepoint_database_up 0` where the database can't be asked."""
        try:
            with self._database.reading() as session:
                attempts = tallies.attempts(session)
                checks = tallies.checks(session, attempts["handed_in"])
                yield _gauge("attempts", "Attempts, by state.", attempts)
                yield _gauge("checks", "Checks of answers, by state.", checks)
                yield _gauge("runs", "Runs asked for here, by state.", tallies.runs(session))
            up = 1
        except SQLAlchemyError:
            up = 0
        yield GaugeMetricFamily("ridgepoint_database_up", "1 if the database answers.", up)


@router.get("/metrics")
def metrics(request: Request) -> Response:
    """All figures, as text."""
    scrape = CollectorRegistry()
    scrape.register(DatabaseFigures(request.app.state.database))
    own = request.app.state.request_figures.registry
    return Response(generate_latest(own) + generate_latest(scrape), media_type=CONTENT_TYPE_LATEST)


def _gauge(name: str, text: str, by_state: dict[str, int]) -> Metric:
    family = GaugeMetricFamily(f"ridgepoint_{name}", text, labels=["state"])
    for state, number in by_state.items():
        family.add_metric([state], number)
    return family
