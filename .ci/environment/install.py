"""Making the environment: a venv, the locked packages checked by hash, and the command."""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from environment.failure import SetupError, disk_full, explain
from environment.stamp import LOCK, VENV

LOG = Path(".cache/setup.log")
_NEEDED = 800 * 2**20  # bytes: the locked packages unpacked, and pip's own copies on the way
_PIP_MANNERS = ["--no-input", "--disable-pip-version-check", "--retries", "2"]
# Settings of the person's own that would send packages to another place than the venv.
_ASTRAY = ("PIP_TARGET", "PIP_PREFIX", "PIP_USER", "PIP_ROOT", "PYTHONHOME", "PYTHONPATH")

_COMMAND = """\
#!/bin/sh
# The ridgepoint command. Finds the checkout from its own place, so that the folder may be moved;
# stays in the caller's folder, so that file names mean what they say there.
self=$(readlink -f -- "$0" 2>/dev/null || printf '%s' "$0")
root=$(CDPATH='' cd -- "$(dirname -- "$self")/../.." && pwd -P) || exit 1
PYTHONPATH="$root${PYTHONPATH:+:$PYTHONPATH}"
export PYTHONPATH
exec "$root/.venv/bin/python" -P -m app.cli "$@"
"""


@contextmanager
def set_aside(root: Path) -> Iterator[None]:
    """Put the old environment back where making a new one fails, as it does without a network."""
    venv, aside = root / VENV, root / ".cache" / "venv.old"
    _remove(aside)
    if not venv.is_dir():
        _remove(venv)
        yield
        return
    venv.rename(aside)
    try:
        yield
    except BaseException:
        _remove(venv)
        aside.rename(venv)
        raise
    _remove(aside)


def make_venv(root: Path) -> None:
    """A new, empty environment at root/.venv, where there must be none."""
    if importlib.util.find_spec("ensurepip.__main__") is None:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise SetupError(
            f"{sys.executable} comes without ensurepip, which makes the environment: install it "
            f"(on Debian and Ubuntu 'apt-get install python{version}-venv'), or name another "
            "Python with 'make PYTHON=/path/to/python serve'."
        )
    if shutil.disk_usage(root).free < _NEEDED:
        raise SetupError(disk_full(root))
    base = getattr(sys, "_base_executable", sys.executable)  # not that of an activated .venv
    run(root, "making .venv", [base, "-I", "-m", "venv", str(root / VENV)])


def install_lock(root: Path) -> None:
    """The locked packages, by uv where there is one, else by pip; each checked by its hash."""
    wanted = ["install", "--quiet", "--require-hashes", "--no-deps", "-r", str(root / LOCK)]
    uv = shutil.which("uv")
    if uv is not None and _call(root, [uv, "pip", *wanted, "--compile-bytecode"]).returncode == 0:
        return
    pip(root, "installing the locked packages", wanted)


def install_command(root: Path) -> None:
    """`.venv/bin/ridgepoint`, which runs the checkout that it lies in."""
    command = root / VENV / "bin" / "ridgepoint"
    command.write_text(_COMMAND, encoding="utf-8")
    command.chmod(0o755)


def pip(root: Path, step: str, arguments: Sequence[str]) -> str:
    """Run the environment's pip; its output. Raises SetupError with one sentence."""
    return run(root, step, [*python(root), "-m", "pip", *_PIP_MANNERS, *arguments])


def python(root: Path) -> list[str]:
    """The environment's Python, blind to the person's own PYTHON… settings."""
    return [str(root / VENV / "bin" / "python"), "-I"]


def run(root: Path, step: str, command: Sequence[str]) -> str:
    """Run a command and log its output; its output. Raises SetupError with one sentence."""
    done = _call(root, command)
    if done.returncode != 0:
        raise explain(step, done.stdout, root, LOG)
    return done.stdout


def _call(root: Path, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    surroundings = {k: v for k, v in os.environ.items() if k not in _ASTRAY}
    surroundings["VIRTUAL_ENV"] = str(root / VENV)  # where uv installs to
    done = subprocess.run(
        command,
        cwd=root,
        env=surroundings,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    with (root / LOG).open("a", encoding="utf-8") as log:
        log.write(f"$ {' '.join(command)}\n{done.stdout}[exit {done.returncode}]\n")
    return done


def _remove(path: Path) -> None:
    """Remove what is there, be it a folder, a file or a link that leads nowhere."""
    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.exists():
        shutil.rmtree(path)
