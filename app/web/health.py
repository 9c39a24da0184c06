"""/healthz: whether this process can serve, and what is wrong if it can't."""

from typing import Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel
from sqlalchemy.exc import SQLAlchemyError

from app.store import migrate
from app.store.engine import Database

router = APIRouter(include_in_schema=False)


class Health(BaseModel):
    """What was looked at, and one sentence."""

    status: Literal["ok", "failing"]
    database: Literal["reachable", "unreachable"]
    migrations: Literal["current", "behind", "unknown"]
    detail: str


@router.get("/healthz")
def healthz(request: Request, response: Response) -> Health:
    """200 if the database answers and has every migration, else 503."""
    health = look(request.app.state.database)
    response.status_code = 200 if health.status == "ok" else 503
    return health


def look(database: Database) -> Health:
    """Ask the database; slow only where it is."""
    try:
        current = migrate.is_current(database)
    except SQLAlchemyError:
        return Health(
            status="failing",
            database="unreachable",
            migrations="unknown",
            detail="The database can't be reached: check that it runs and RIDGEPOINT_DATABASE_URL.",
        )
    if not current:
        return Health(
            status="failing",
            database="reachable",
            migrations="behind",
            detail="The database lacks migrations: run `ridgepoint migrate`.",
        )
    return Health(status="ok", database="reachable", migrations="current", detail="All is well.")
