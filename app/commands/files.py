"""Files that a command writes: whole or not at all."""

from pathlib import Path
from uuid import uuid4


def write_whole(path: Path, text: str) -> None:
    """Put `text` into the file in place of what is there; OSError leaves that as it was."""
    draft = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
