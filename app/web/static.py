"""Static files: an address that carries the file's version may be kept for a year."""

import hashlib
import time
from functools import lru_cache
from pathlib import Path
from urllib.parse import parse_qs

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from app.settings import ROOT

FOLDER = ROOT / "static"
FOR_A_YEAR = "public, max-age=31536000, immutable"
ASK_AGAIN = "public, no-cache"


class Static(StaticFiles):
    """The files of `static/`, with how long they may be kept."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file; for a year where the query names the version that it has now."""
        response = await super().get_response(path, scope)
        asked = parse_qs(scope["query_string"].decode("latin-1")).get("v")
        kept = asked is not None and asked == [version(path)]
        response.headers["Cache-Control"] = FOR_A_YEAR if kept else ASK_AGAIN
        return response


def address(path: str) -> str:
    """The address of a file in `static/` for a page, with its version: `/static/app.css?v=…`."""
    return _address(path, int(time.monotonic()))


@lru_cache(maxsize=256)
def _address(path: str, _second: int) -> str:
    """A page names many files: each is looked at once a second, so that an edit still shows."""
    return f"/static/{path}?v={version(path)}"


def version(path: str) -> str:
    """A short hash of the file's bytes; FileNotFoundError if there is no such file."""
    file = FOLDER / path
    return _hash(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=256)
def _hash(file: Path, _changed: int) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:12]
