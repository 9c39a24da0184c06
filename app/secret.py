"""The key that signs session cookies."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from app.secret_faults import SHORTEST_SECRET
from app.settings import Settings
from app.trouble import Trouble


def session_secret(settings: Settings) -> str:
    """The secret given in the settings, else one made at the first start and kept in `data_dir`."""
    return settings.secret or _kept_secret(settings.data_dir / "secret")


def _kept_secret(path: Path) -> str:
    """Read the secret at `path`, making it first; two processes at once end with the same one."""
    if not path.exists():
        _make(path)
    kept = path.read_text("utf-8", "replace").strip() if path.is_file() else ""  # a pipe would wait
    if len(kept) < SHORTEST_SECRET:  # cut short by a crash, it would let anyone sign cookies
        raise Trouble(
            f"{path} should hold the key that signs cookies and is empty or cut short: delete it "
            "and start again; everyone then begins as a new learner."
        )
    return kept


def _make(path: Path) -> None:
    """Write a secret beside `path` and put it there whole, or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        draft.touch(mode=0o600)
        with draft.open("w", encoding="utf-8") as file:
            file.write(secrets.token_urlsafe(48))
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):  # another process was first: its secret counts
            os.link(draft, path)
    finally:
        draft.unlink(missing_ok=True)
