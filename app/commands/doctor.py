"""`ridgepoint doctor`: what works here, what is missing, and how to get it."""

import argparse
import asyncio
import shutil
import subprocess
import sys
from importlib.util import find_spec

from app.commands.doctor_database import Finding, database_found, nearest
from app.domain.checking.weights import all_whole
from app.judging import controls
from app.judging.asking import replies_to
from app.judging.endpoint import endpoint_of
from app.judging.trouble import JudgeTrouble
from app.settings import Settings
from app.trouble import Trouble

DRIVER_SECONDS = 10


def doctor(_arguments: argparse.Namespace) -> int:
    """Print one line for each thing looked at; 1 where the site itself could not start."""
    settings = Settings()
    needed = [_python(), database_found(settings), _disk(settings)]
    wished = [
        _checker(),
        _torch(),
        _gpu(),
        _program("chromium", "browser tests"),
        _program("psql", "PostgreSQL"),
        _judge(settings),
    ]
    for fine, text in [*needed, *wished]:
        print(f"{'✓' if fine else '–'} {text}")
    return 0 if all(fine for fine, _ in needed) else 1


def _python() -> Finding:
    return sys.version_info >= (3, 11), f"Python {sys.version.split()[0]} (3.11 or newer is needed)"


def _disk(settings: Settings) -> Finding:
    free_mb = shutil.disk_usage(nearest(settings.data_dir)).free // 2**20
    return free_mb > 100, f"disk: {free_mb} MB free (100 MB is enough to practise)"


def _checker() -> Finding:
    try:
        all_whole()  # loading the networks too would cost a health check 80 MB a minute
    except Trouble as trouble:
        return False, f"checker: no answer can be checked; {trouble}"
    return True, "checker: its networks are whole"


def _torch() -> Finding:
    if find_spec("torch") is None:
        return False, "torch: not installed; recorded runs are shown, none can be started"
    return True, "torch: installed"


def _gpu() -> Finding:
    if shutil.which("nvidia-smi") is None:
        return False, "GPU: none found; runs use the CPU edition, and the recorded runs are shown"
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        asked = subprocess.run(
            query, capture_output=True, text=True, check=False, timeout=DRIVER_SECONDS
        )
    except subprocess.TimeoutExpired:
        return False, f"GPU: its driver has not answered for {DRIVER_SECONDS} s"
    return asked.returncode == 0, f"GPU: {(asked.stdout or asked.stderr).strip()}"


def _program(name: str, what_for: str) -> Finding:
    path = shutil.which(name)
    return path is not None, f"{name}: {path or f'not found; only needed for {what_for}'}"


def _judge(settings: Settings) -> Finding:
    endpoint = endpoint_of(settings)
    if endpoint is None:
        return False, "judge: none is set, so answers are checked here alone (RIDGEPOINT_JUDGE_URL)"
    try:
        asyncio.run(replies_to(endpoint, [controls.absent("Fusing saves trips to memory.")]))
    except JudgeTrouble as trouble:
        return False, f"judge {endpoint.model}: {endpoint.place} {trouble}"
    return True, f"judge {endpoint.model} at {endpoint.place} answers as it should"
