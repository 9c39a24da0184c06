"""The order of the steps, what is said on the way, and the exit status."""

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from environment import install, stamp, torch_build
from environment.failure import SetupError, UnreachableError, explain_os_error

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: list[str], root: Path = ROOT) -> int:
    """Bring the environment up to date. --check: only look; --torch: choose PyTorch anew."""
    try:
        if "--check" in arguments:
            return 0 if stamp.ready(root, torch_build.has_gpu()) else 1
        with _alone(root):
            _bring_up_to_date(root, again="--torch" in arguments)
    except SetupError as problem:
        return _fail(str(problem), root)
    except OSError as error:
        return _fail(explain_os_error(error, root), root)
    except KeyboardInterrupt:
        print("\nStopped; the same command goes on from here.", file=sys.stderr)
        return 130
    return 0


def _bring_up_to_date(root: Path, again: bool) -> None:
    now = stamp.read(root)
    if now is None or now.python != stamp.this_python() or not stamp.whole(root, now):
        now = _make(root)
    elif now.lock != stamp.lock_hash(root):
        now = _update(root, now)
    if again or stamp.torch_is_due(now, torch_build.has_gpu()):
        _add_torch(root, now)


def _make(root: Path) -> stamp.Stamp:
    """A new environment. Half a one is not mended but replaced: what is cached comes quickly."""
    if (root / stamp.VENV).exists():
        _say("The environment in .venv is broken, unfinished or another Python's: making it anew.")
    _say("Installing the locked packages into .venv (a minute or two, this once) …")
    with install.set_aside(root):
        install.make_venv(root)
        install.install_lock(root)
        install.install_command(root)
        return _stamped(root, stamp.Stamp("", stamp.this_python(), ()))


def _update(root: Path, now: stamp.Stamp) -> stamp.Stamp:
    """The same environment at another lock. Its stamp is invalid while packages are replaced."""
    _say("The lock file has changed: updating .venv …")
    stamp.write(root, replace(now, python=""))
    try:
        install.install_lock(root)
    except UnreachableError:
        stamp.write(root, now)
        raise
    install.install_command(root)
    return _stamped(root, now)


def _stamped(root: Path, made: stamp.Stamp) -> stamp.Stamp:
    """Write and return the stamp of an environment at the present lock."""
    folders = stamp.installed(root, made.python)
    made = replace(made, lock=stamp.lock_hash(root), folders=folders)
    stamp.write(root, made)
    return made


def _add_torch(root: Path, now: stamp.Stamp) -> None:
    """PyTorch, or one sentence why not: without it all pages work, so this never fails."""
    gpu = torch_build.has_gpu()
    stamp.write(root, replace(now, torch=""))
    _say(f"Looking for a PyTorch build for {'the NVIDIA GPU' if gpu else 'the CPU'} …")
    try:
        version = torch_build.install(root, gpu)
    except SetupError as problem:
        version = "failed"
        _say(f"PyTorch is not installed; the pages work without, 'make torch' retries. {problem}")
    if version == "none":
        _say(torch_build.NO_CPU_BUILD)
    _stamped(root, replace(now, torch=version, gpu=gpu))


@contextmanager
def _alone(root: Path) -> Iterator[None]:
    """Only one set-up at a time works on a folder; a second waits and then finds it done."""
    (root / install.LOG).parent.mkdir(exist_ok=True)
    with (root / ".cache" / "setup.lock").open("w") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _say("Waiting for another set-up of this folder …")
            fcntl.flock(held, fcntl.LOCK_EX)
        yield


def _fail(sentence: str, root: Path) -> int:
    print(sentence, file=sys.stderr)
    log = root / install.LOG
    if os.environ.get("CI") and log.exists():  # nobody can open the log there afterwards
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        print("\n".join(lines[-40:]), file=sys.stderr)
    return 1


def _say(sentence: str) -> None:
    print(sentence, flush=True)
