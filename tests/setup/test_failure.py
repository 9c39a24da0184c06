"""What goes wrong while setting up is told in one sentence that says what to do."""

import errno
import os
from pathlib import Path

import pytest

from environment.failure import SetupError, UnreachableError, explain, explain_os_error

LOG = Path(".cache/setup.log")

PIP_OFFLINE = """\
WARNING: Retrying (Retry(total=0, connect=None, read=None)) after connection broken by \
'NewConnectionError('<HTTPSConnection object at 0x7fbfcb8318d0>: Failed to establish a new \
connection: [Errno -3] Temporary failure in name resolution')': /simple/alembic/
ERROR: Could not find a version that satisfies the requirement alembic==1.20.1 (from versions: none)
ERROR: No matching distribution found for alembic==1.20.1
"""
UV_OFFLINE = """\
error: Request failed after 3 retries in 3.9s
  cause: client error (Connect)
  cause: dns error
"""
PIP_DISK = (
    "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n"
)
UV_DISK = "error: Failed to install: ruff\n  cause: failed to copy file: (os error 28)\n"
PIP_HASH = (
    "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE. If you have "
    "updated the package versions, please update the hashes.\n    alembic==1.20.1 from …\n"
)
PIP_OTHER = "Collecting alembic\nERROR: Package 'x' requires a different Python: 3.15.0.\nbye\n"


@pytest.mark.parametrize(
    ("output", "kind", "told"),
    [
        (PIP_OFFLINE, UnreachableError, "The package index could not be reached while trying:"),
        (UV_OFFLINE, UnreachableError, "connect to the network"),
        (PIP_DISK, SetupError, "The disk is full"),
        (UV_DISK, SetupError, "free some space"),
        (PIP_HASH, SetupError, "not the one in the lock file"),
        (PIP_OTHER, SetupError, "while trying: ERROR: Package 'x' requires a different Python"),
        ("", SetupError, "it said nothing"),
    ],
)
def test_a_failed_command_is_told_in_one_sentence(
    output: str, kind: type[SetupError], told: str, tmp_path: Path
) -> None:
    problem = explain("trying", output, tmp_path, LOG)
    assert type(problem) is kind
    assert told in str(problem)
    assert "\n" not in str(problem)
    assert str(problem).endswith((".", ").")) and ". " not in str(problem).removesuffix(".")


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (errno.ENOSPC, "The disk is full"),
        (errno.EROFS, "/work/x cannot be written (Read-only file system): give yourself"),
        (errno.EACCES, "copy the folder to a place of your own"),
        (errno.EIO, "Setting up stopped at /work/x: Input/output error."),
    ],
)
def test_a_failed_file_operation_is_told_in_one_sentence(number: int, told: str) -> None:
    problem = OSError(number, os.strerror(number), "/work/x")
    assert told in explain_os_error(problem, Path("/work"))
