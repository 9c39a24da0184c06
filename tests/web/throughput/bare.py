"""The bare side: `python -m tests.web.throughput.bare FILE PORT`.

The route is `async def`, so that no request changes threads: FastAPI's fastest
way, and the harder one to be compared with. It keeps no log.
"""

import sys
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from fastapi.responses import HTMLResponse


def bare_app(body: bytes) -> FastAPI:
    """An application whose only route answers with `body`."""
    app = FastAPI()

    @app.get("/")
    async def same_bytes() -> HTMLResponse:
        return HTMLResponse(body)

    return app


if __name__ == "__main__":
    file, port = sys.argv[1:]
    app = bare_app(Path(file).read_bytes())
    uvicorn.run(app, port=int(port), log_config=None, access_log=False, server_header=False)
