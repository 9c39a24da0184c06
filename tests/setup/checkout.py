"""A folder that looks like a checkout to the set-up, with an environment that costs nothing."""

import shutil
import sys
from pathlib import Path

from environment import stamp

ROOT = Path(__file__).resolve().parents[2]


def make_checkout(folder: Path) -> Path:
    """A checkout whose lock file names nothing."""
    (folder / ".ci").mkdir(parents=True)
    (folder / stamp.LOCK).write_text("# nothing\n")
    return folder


def make_environment(root: Path, torch: str = "none", gpu: bool = False) -> stamp.Stamp:
    """A whole environment as far as the stamp can see, holding the packages alpha and beta."""
    site = root / f".venv/lib/python{stamp.this_python()}/site-packages"
    for name in ("alpha", "beta", "alpha-1.0.dist-info"):
        (site / name).mkdir(parents=True)
    link_python(root)
    folders = stamp.installed(root, stamp.this_python())
    made = stamp.Stamp(stamp.lock_hash(root), stamp.this_python(), folders, torch, gpu)
    stamp.write(root, made)
    return made


def link_python(root: Path) -> None:
    (root / ".venv/bin").mkdir(parents=True, exist_ok=True)
    (root / ".venv/bin/python").symlink_to(sys.executable)


def copy_setup(root: Path) -> Path:
    """The real `.ci/setup` in front of a bootstrap that only tells by whom it was run."""
    shutil.copy(ROOT / ".ci/setup", root / ".ci/setup")
    report = "import sys\nprint('ran', '%d.%d' % sys.version_info[:2], *sys.argv[1:])\n"
    (root / ".ci/bootstrap.py").write_text(report)
    return root / ".ci/setup"
