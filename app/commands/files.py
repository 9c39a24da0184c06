"""Files that a command writes: whole or not at all."""

from pathlib import Path
from tempfile import NamedTemporaryFile


def write_whole(path: Path, text: str) -> None:
    """Put `text` into the file in place of what is there; OSError leaves that as it was."""
    with NamedTemporaryFile(
        "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False
    ) as file:
        file.write(text)
    Path(file.name).replace(path)
