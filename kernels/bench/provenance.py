"""What made the numbers, and when: the packages, the code and its commit, the moment."""

import hashlib
import platform
import re
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_KERNELS = Path(__file__).resolve().parent.parent


def now() -> str:
    """The moment, in UTC: a recording is shown with its date."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def versions() -> dict:
    """Of Python and the packages that set the numbers, and the hash of the code that ran."""
    names = ("torch", "triton", "numpy")
    return {"python": platform.python_version(), "platform": platform.platform()} | {
        name: _version(name) for name in names
    } | {"kernels_sha256": source_hash(), "commit": commit()}  # fmt: skip


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def source_hash() -> str:
    """SHA-256 over the source of the kernels package, names and contents.

    Without kernels/lab, which measures nothing: it concludes anew whenever a run is shown.
    """
    digest = hashlib.sha256()
    sources = set(_KERNELS.rglob("*.py")) - set((_KERNELS / "lab").rglob("*.py"))
    for path in sorted(sources | set(_KERNELS.rglob("*.h")) | set(_KERNELS.rglob("*.cpp"))):
        digest.update(path.relative_to(_KERNELS).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def commit() -> str | None:
    """The checkout's commit, where git can say."""
    command = ["git", "-C", str(_KERNELS), "rev-parse", "HEAD"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=5, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return answer.stdout.strip() if re.fullmatch(r"[0-9a-f]{40}\n", answer.stdout) else None
