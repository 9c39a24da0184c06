"""The application: the only file that knows all others."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles
from starlette.middleware.sessions import SessionMiddleware

from app.secret import session_secret
from app.settings import ROOT, Settings
from app.store.engine import open_database

ONE_YEAR = 365 * 24 * 60 * 60


def create_app(settings: Settings) -> FastAPI:
    """The web application for these settings; its database must be at the newest migration."""
    app = FastAPI(title="Ridgepoint", version="1", docs_url=None, redoc_url=None, lifespan=_life)
    app.state.settings = settings
    app.state.database = open_database(settings.resolved_database_url)
    app.mount("/static", StaticFiles(directory=ROOT / "static"), name="static")
    app.add_middleware(
        SessionMiddleware,
        secret_key=session_secret(settings),
        session_cookie="ridgepoint",
        max_age=ONE_YEAR,
        https_only=settings.secure_cookies,
    )
    return app


@asynccontextmanager
async def _life(app: FastAPI) -> AsyncIterator[None]:
    yield
    app.state.database.dispose()
