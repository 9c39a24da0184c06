"""/healthz: whether this process can serve, and what is wrong if it can't."""

from typing import Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel
from sqlalchemy.exc import SQLAlchemyError

from app.store import migrate
from app.store.engine import Database
from app.store.migrate import Standing

router = APIRouter(include_in_schema=False)


class Health(BaseModel):
    """What was looked at, and one sentence."""

    status: Literal["ok", "failing"]
    database: Literal["reachable", "unreachable"]
    migrations: Literal["current", "behind", "newer", "unknown"]
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
        standing = migrate.standing(database)
    except SQLAlchemyError:
        return Health(
            status="failing",
            database="unreachable",
            migrations="unknown",
            detail="The database can't be reached: check that it runs and RIDGEPOINT_DATABASE_URL.",
        )
    fine = standing is Standing.CURRENT
    return Health(
        status="ok" if fine else "failing",
        database="reachable",
        migrations=standing.value,
        detail=_DETAIL[standing],
    )


_DETAIL = {
    Standing.CURRENT: "All is well.",
    Standing.BEHIND: "The database lacks migrations: run `ridgepoint migrate`.",
    Standing.NEWER: "The database was used by a newer Ridgepoint than this one: update this copy.",
}
