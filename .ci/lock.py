"""Writes the two lock files from pyproject.toml: one resolution, with and without the tools.

Pins that still fit are kept; `--upgrade` moves all to the newest. Run it by `make lock`.
"""

import hashlib
import json
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EVERYTHING = ".ci/requirements-dev.lock"  # .venv
SERVER = ".ci/requirements.lock"  # the container images
_COMPILE = ["pip", "compile", "--quiet", "--universal", "--generate-hashes"]
_OLDEST = ["--python-version", "3.11"]


def fingerprint(root: Path = ROOT) -> str:
    """SHA-256 of what the locks are made from, the dependencies and the group of tools."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [project["project"]["dependencies"], project["dependency-groups"]["dev"]]
    return hashlib.sha256(json.dumps(wanted).encode()).hexdigest()


def heading(root: Path = ROOT) -> str:
    """The first line of each lock, by which a stale one is noticed."""
    return f"# Made by 'make lock' from the dependencies in pyproject.toml, {fingerprint(root)}\n"


def _compile(target: str, *options: str) -> None:
    uv = [sys.executable, "-m", "uv", *_COMPILE, *_OLDEST, "--no-header", "--output-file", target]
    subprocess.run([*uv, "pyproject.toml", *options], cwd=ROOT, check=True)
    lock = ROOT / target
    lock.write_text(heading() + lock.read_text(encoding="utf-8"), encoding="utf-8")


if __name__ == "__main__":
    _compile(EVERYTHING, "--group", "dev", *sys.argv[1:])
    _compile(SERVER, "--constraint", EVERYTHING, *sys.argv[1:])
