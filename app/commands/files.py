"""Files that a command writes: whole or not at all."""

from pathlib import Path
from uuid import uuid4

from app.trouble import Trouble


def write_whole(path: Path, text: str) -> None:
    """Put `text` into the file in place of what is there; Trouble leaves that as it was."""
    draft = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except OSError as fault:
        draft.unlink(missing_ok=True)
        raise Trouble(f"{path} can't be written: {fault.strerror}.") from fault
