"""Which PyTorch this machine can use, outside the lock, since the lock cannot know.

Where there is an NVIDIA GPU, the newest build in range that is not for the CPU alone; elsewhere a
build that its version says is for the CPU ("2.13.0+cpu"), or any on macOS; elsewhere none. The
default build on Linux brings 3 GB of CUDA, of no use to a laptop, and the pages work without.
"""

import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from environment.failure import SetupError
from environment.install import pip, python, run
from environment.stamp import LOCK

OLDEST, NEWER_THAN_ALL = (2, 11), (2, 14)

# A CPU build does not ask for Triton, whose interpreter runs the kernels there; a CUDA build of
# the same version asks for these.
_TRITON = {"2.11": "triton==3.6.0", "2.12": "triton==3.7.1", "2.13": "triton==3.7.1"}
_NUMPY = "numpy>=2.1,<3"  # for Triton's interpreter

_GPU_SIGNS = ("/proc/driver/nvidia/version", "/dev/nvidiactl", "/usr/lib/wsl/lib/nvidia-smi")

NO_CPU_BUILD = (
    "PyTorch was left out, for there is no NVIDIA GPU here and pip finds no build for the CPU "
    "alone: pages and recorded runs work without it, and for live runs let pip find one "
    "(PIP_FIND_LINKS or PIP_EXTRA_INDEX_URL) and say 'make torch'."
)


def has_gpu() -> bool:
    """Whether an NVIDIA driver is loaded; looks at files only, so it costs nothing."""
    return any(Path(sign).exists() for sign in _GPU_SIGNS)


def choose(versions: Iterable[str], gpu: bool, platform: str = sys.platform) -> str | None:
    """The newest of the versions that is in range and of use here; None where none is."""
    fitting = [v for v in versions if _in_range(v) and _of_use(v, gpu, platform)]
    return max(fitting, key=_order, default=None)


def requirements(version: str, platform: str = sys.platform) -> list[str]:
    """What to ask pip for, given the torch version chosen."""
    minor = version.rsplit(".", 1)[0]
    triton = [_TRITON[minor]] if platform == "linux" and "+cpu" in version else []
    return [f"torch==={version}", _NUMPY, *triton]


def install(root: Path, gpu: bool) -> str:
    """Install the torch that fits; its version, or "none". Raises SetupError."""
    listing = pip(root, "looking for PyTorch", ["index", "versions", "torch"])
    version = choose(listed(listing), gpu)
    if version is None:
        return "none"
    limits = root / ".cache" / "locked.txt"
    limits.write_text(pins((root / LOCK).read_text(encoding="utf-8")), encoding="utf-8")
    wanted = ["install", "--quiet", "--constraint", str(limits), *requirements(version)]
    pip(root, f"installing PyTorch {version}", wanted)
    _try_out(root, requirements(version))
    return version


def _try_out(root: Path, wanted: Sequence[str]) -> None:
    names = [re.split("[=<>]", requirement)[0] for requirement in wanted]
    run(root, "trying PyTorch out", [*python(root), "-c", f"import {', '.join(names)}"])


def listed(listing: str) -> list[str]:
    """The versions in what `pip index versions` prints."""
    found = re.search(r"^Available versions: (.*)$", listing, re.MULTILINE)
    if found is None:
        raise SetupError("pip told no versions of PyTorch.")
    return found[1].split(", ")


def _in_range(version: str) -> bool:
    numbers = _numbers(version)
    return bool(numbers) and OLDEST <= numbers < NEWER_THAN_ALL


def _of_use(version: str, gpu: bool, platform: str) -> bool:
    label = version.partition("+")[2]
    if gpu:
        return label == "" or label.startswith("cu")
    return label == "cpu" or (platform == "darwin" and label == "")


def _order(version: str) -> tuple[tuple[int, ...], str]:
    return _numbers(version), version


def _numbers(version: str) -> tuple[int, ...]:
    """(2, 13, 0) of "2.13.0+cpu"; () of a pre-release, which is not for us."""
    found = re.fullmatch(r"(\d+(?:\.\d+)+)(?:\+[\w.]+)?", version)
    return tuple(int(number) for number in found[1].split(".")) if found else ()


def pins(lock: str) -> str:
    """The lock's versions without their hashes, so that torch's needs move none of them."""
    return "\n".join(re.findall(r"^[\w.-]+==[^\\\n]*", lock, re.MULTILINE)) + "\n"
