"""A finished environment and how to tell one in milliseconds: `.venv/setup.json`.

The stamp names no path, so that a copy of the folder elsewhere is still up to date.
"""

import hashlib
import json
import os
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

LOCK = Path(".ci/requirements-dev.lock")
VENV = Path(".venv")
_FILE = VENV / "setup.json"


@dataclass(frozen=True)
class Stamp:
    """What was installed, and for what.

    lock: SHA-256 of the lock file; python: "3.12"; folders: what site-packages then held;
    torch: the version, "none" or "failed", or "" while that step is still to do; gpu: whether an
    NVIDIA GPU was seen when torch was chosen.
    """

    lock: str
    python: str
    folders: tuple[str, ...]
    torch: str = ""
    gpu: bool = False


def read(root: Path) -> Stamp | None:
    """The stamp of root's environment; None where there is none that can be read."""
    try:
        fields = json.loads((root / _FILE).read_text(encoding="utf-8"))
        return Stamp(folders=tuple(fields.pop("folders")), **fields)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def write(root: Path, stamp: Stamp) -> None:
    """Keep the stamp; the file appears whole or not at all."""
    draft = root / _FILE.with_suffix(".new")
    draft.write_text(json.dumps(asdict(stamp), indent=1), encoding="utf-8")
    draft.replace(root / _FILE)


def lock_hash(root: Path) -> str:
    return hashlib.sha256((root / LOCK).read_bytes()).hexdigest()


def this_python() -> str:
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def installed(root: Path, python: str) -> tuple[str, ...]:
    """The packages' folders and modules in root's site-packages, less their version records.

    A package that one upgrades by hand keeps its folder, one that is gone does not.
    """
    site = root / VENV / "lib" / f"python{python}" / "site-packages"
    try:
        names = os.listdir(site)  # noqa: PTH208 (half the time of Path.iterdir)
    except OSError:
        return ()
    return tuple(sorted(n for n in names if not n.endswith((".dist-info", "__pycache__"))))


def whole(root: Path, stamp: Stamp | None) -> bool:
    """Whether the environment has a Python that runs there and all that was installed."""
    if stamp is None or not os.access(root / VENV / "bin" / "python", os.X_OK):
        return False
    return set(stamp.folders) <= set(installed(root, stamp.python))


def ready(root: Path, gpu: bool) -> bool:
    """Whether nothing is left to do, asked from the environment's own Python."""
    stamp = read(root)
    return (
        stamp is not None
        and stamp.python == this_python()
        and stamp.lock == lock_hash(root)
        and not torch_is_due(stamp, gpu)
        and whole(root, stamp)
    )


def torch_is_due(stamp: Stamp, gpu: bool) -> bool:
    """Whether torch is still to be chosen, or was chosen before there was a GPU.

    Not the other way round: a GPU that is away for a while takes no installed torch with it.
    """
    return stamp.torch == "" or (gpu and not stamp.gpu)
