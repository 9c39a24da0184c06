"""The application: the only file that knows all others."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.middleware.sessions import SessionMiddleware

from app.judging.endpoint import endpoint_of
from app.judging.judge import Judge
from app.runs.device_line import DeviceLine
from app.runs.following import Following
from app.runs.queue import open_jobs
from app.runs.view import looker
from app.secret import session_secret
from app.settings import Settings
from app.store.engine import open_database
from app.web import (
    api,
    api_attempts,
    api_cards,
    api_check,
    api_experiments,
    api_runs,
    attempts,
    calibration,
    comparison,
    drafts,
    errors,
    experiments,
    findings,
    follow_ups,
    health,
    history,
    home,
    ledger,
    metrics,
    pages,
    questions,
    receipt,
    runs,
)
from app.web.access import Noted
from app.web.checks import Checks
from app.web.gate import Gate
from app.web.security import SafeAnswers
from app.web.static import FOLDER, Static
from app.web.turns import InTurn

PAGES = (
    *(questions, follow_ups, home, attempts, drafts, findings, history),
    *(experiments, ledger, runs, comparison, receipt, calibration),
)
API = (api_cards, api_attempts, api_check, api_experiments, api_runs)
ONE_YEAR = 365 * 24 * 60 * 60


def create_app(settings: Settings) -> FastAPI:
    """The web application for these settings; its database must be at the newest migration."""
    app = FastAPI(
        title="Ridgepoint",
        version="1",
        openapi_url=f"{api.PREFIX}/openapi.json",
        docs_url=None,  # its pages run scripts of another host, which our policy forbids
        redoc_url=None,
        lifespan=_life,
    )
    app.state.settings = settings
    app.state.database = open_database(settings.resolved_database_url)
    app.state.jobs = open_jobs(app.state.database)
    app.state.following = Following(looker(app.state.database, settings))
    app.state.checks = Checks(settings.check_deadline, judge=_judge(settings))
    app.state.device_line = DeviceLine(app.state.database, settings)
    app.state.request_figures = metrics.RequestFigures()
    for part in (*PAGES, *API, health, metrics):
        # As they are: an included router would match each request again, once a router.
        app.router.routes.extend(part.router.routes)
    pages.answer_head(app.router.routes)
    api.describe(app)
    app.mount("/static", Static(directory=FOLDER), name="static")
    errors.install(app)
    _add_middleware(app, settings)
    return app


def _add_middleware(app: FastAPI, settings: Settings) -> None:
    """The last one added is the first that a request meets."""
    app.add_middleware(InTurn)
    app.add_middleware(
        SessionMiddleware,
        secret_key=session_secret(settings),
        session_cookie="ridgepoint",
        max_age=ONE_YEAR,
        https_only=settings.secure_cookies,
    )
    app.add_middleware(Gate, settings=settings)
    app.add_middleware(Noted, figures=app.state.request_figures)
    app.add_middleware(SafeAnswers, https_only=settings.secure_cookies)


def _judge(settings: Settings) -> Judge | None:
    endpoint = endpoint_of(settings)
    return Judge(endpoint) if endpoint else None


@asynccontextmanager
async def _life(app: FastAPI) -> AsyncGenerator[None]:
    yield
    app.state.checks.close()
    app.state.device_line.close()
    app.state.database.dispose()
