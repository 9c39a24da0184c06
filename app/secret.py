"""The key that signs session cookies."""

import os
import secrets
from pathlib import Path

from app.settings import Settings


def session_secret(settings: Settings) -> str:
    """The secret given in the settings, else one made at the first start and kept in `data_dir`."""
    return settings.secret or _kept_secret(settings.data_dir / "secret")


def _kept_secret(path: Path) -> str:
    """Read the secret at `path`, making it first; two processes at once end with the same one."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(48), encoding="utf-8")
        try:
            os.link(draft, path)
        except FileExistsError:
            pass  # another process was first: its secret counts
        finally:
            draft.unlink()
    return path.read_text(encoding="utf-8").strip()
