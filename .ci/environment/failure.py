"""What can go wrong while setting up, each as one sentence that says what to do."""

import errno
import shutil
import tempfile
from pathlib import Path

# What pip and uv print, in lower case, for the two failures that are nobody's mistake.
_NETWORK = (
    "temporary failure in name resolution",
    "name or service not known",
    "nodename nor servname",
    "failed to establish a new connection",
    "network is unreachable",
    "connection refused",
    "connection reset",
    "dns error",
    "error sending request",
    "client error (connect)",
    "failed to fetch",
    "timed out",
)
_DISK = ("no space left on device", "os error 28", "disk quota exceeded", "os error 122")
_HASH = ("do not match the hashes", "hash mismatch")

_NEARLY_FULL = 20 * 2**20  # bytes; less than any one of the larger packages


class SetupError(Exception):
    """The environment could not be made; the message is the sentence to show."""


class UnreachableError(SetupError):
    """No package index answered. pip and uv fetch all before they install, so nothing changed."""


def explain(step: str, output: str, root: Path, log: Path) -> SetupError:
    """One sentence for a command that failed at `step` with `output`; the whole is in `log`."""
    text = output.lower()
    if any(sign in text for sign in _DISK) or shutil.disk_usage(root).free < _NEARLY_FULL:
        return SetupError(disk_full(root))
    if any(sign in text for sign in _HASH):
        return SetupError(
            f"While {step}, a package arrived that is not the one in the lock file, so nothing "
            f"of it was kept: try again, and if it stays so look for a proxy in between ({log})."
        )
    if any(sign in text for sign in _NETWORK):
        return UnreachableError(
            f"The package index could not be reached while {step}: connect to the network (or "
            f"set PIP_INDEX_URL to a mirror) and run the same command again, which goes on from "
            f"here ({log})."
        )
    return SetupError(
        f"Setting up stopped while {step}: {_last_words(output)} (all of it is in {log})."
    )


def disk_full(root: Path) -> str:
    return (
        f"The disk is full, that of {root}, of {tempfile.gettempdir()} or of the package cache in "
        "your home: free some space (1 GB without PyTorch, 3 GB with its CPU build, 9 GB with "
        "CUDA) and run the same command again."
    )


def explain_os_error(error: OSError, root: Path) -> str:
    """One sentence for a file operation of our own that failed."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return disk_full(root)
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return (
            f"{error.filename or root} cannot be written ({error.strerror}): give yourself the "
            "right to write there, or copy the folder to a place of your own."
        )
    return f"Setting up stopped at {error.filename or root}: {error.strerror or error}."


def _last_words(output: str) -> str:
    """The last line that names an error, else the last line, without a full stop."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    named = [line for line in lines if line.lower().startswith("error")]
    return (named or lines or ["it said nothing"])[-1].rstrip(".")
