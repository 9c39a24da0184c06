"""The application: the only file that knows all others."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.middleware.sessions import SessionMiddleware

from app.secret import session_secret
from app.settings import Settings
from app.store.engine import open_database
from app.web import errors, health, metrics
from app.web.access import Noted
from app.web.gate import Gate
from app.web.security import SafeAnswers
from app.web.static import FOLDER, Static

ONE_YEAR = 365 * 24 * 60 * 60


def create_app(settings: Settings) -> FastAPI:
    """The web application for these settings; its database must be at the newest migration."""
    app = FastAPI(title="Ridgepoint", version="1", docs_url=None, redoc_url=None, lifespan=_life)
    app.state.settings = settings
    app.state.database = open_database(settings.resolved_database_url)
    app.state.request_figures = metrics.RequestFigures()
    app.include_router(health.router)
    app.include_router(metrics.router)
    app.mount("/static", Static(directory=FOLDER), name="static")
    errors.install(app)
    _add_middleware(app, settings)
    return app


def _add_middleware(app: FastAPI, settings: Settings) -> None:
    """The last one added is the first that a request meets."""
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


@asynccontextmanager
async def _life(app: FastAPI) -> AsyncIterator[None]:
    yield
    app.state.database.dispose()
