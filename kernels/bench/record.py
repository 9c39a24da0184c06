"""Recordings: every experiment, and every preset of the chain, measured on this GPU.

The recorded runs follow one after another, alone on the GPU: first the lab's, each in
a process of its own, as it is when it is asked for; then the chain's, in this process,
which holds nothing on the GPU before that. For the chain the compilers' caches are
filled beforehand, by many processes at once; torch.compile takes long for each shape.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from kernels.bench import gpu, machine
from kernels.bench.emit import Failure, Progress
from kernels.bench.protocol import PRESETS, Request, from_preset
from kernels.bench.warm import short, warm
from kernels.lab import EXPERIMENTS
from kernels.lab.experiment import Asked, Experiment

DTYPES = ("bf16", "fp32")
DIRECTIONS = ("forward", "backward")
EVERY_CHOICE = ("model",)  # of these parameters each choice is recorded, of the others the default
# In full where that adds something and takes less than a minute.
FULL = ("flops", "roofline", "matmuls", "width", "size", "activation", "backward", "broken")
SECONDS = 180


@dataclass(frozen=True, slots=True)
class Recording:
    """One file: its name, what writes it, and the run that fills the caches for it, if any."""

    name: str
    write: Callable[[Path], None]
    before: Sequence[str] = ()


def run(folder: Path, only: Sequence[str] = ()) -> None:
    """Write folder/NAME.jsonl for each, each whole or not at all; Failure names what failed.

    `only` are names of experiments; without any, all are recorded.
    """
    machine.need_gpu()
    folder.mkdir(parents=True, exist_ok=True)
    recordings = [one for name in _order(only) for one in _recordings(EXPERIMENTS[name])]
    progress = Progress(of=len(recordings) + 1)
    failed = []
    start = time.monotonic()
    warm([one.before for one in recordings if one.before])
    progress.step(f"compilers' caches filled: {time.monotonic() - start:.1f} s")
    for one in recordings:
        start = time.monotonic()
        problem = _recorded(one, folder / f"{one.name}.jsonl")
        failed += [f"{one.name} ({problem})"] if problem else []
        progress.step(f"{one.name}: {problem or f'{time.monotonic() - start:.1f} s'}")
    if failed:
        raise Failure("failed", f"Not recorded: {', '.join(failed)}.")


def _order(only: Sequence[str]) -> list[str]:
    """The chain last: it is measured in this process, which the others must find off the GPU."""
    chosen = [name for name in EXPERIMENTS if not only or name in only]
    return sorted(chosen, key=lambda name: name == "chain")


def _recordings(experiment: Experiment) -> list[Recording]:
    if experiment.name != "chain":
        return [_of_experiment(*pair) for pair in _runs(experiment)]
    cases = [*product(DTYPES, PRESETS, DIRECTIONS), *product(DTYPES[:1], PRESETS, ("both",))]
    return [
        _of_chain(from_preset(preset, dtype=dtype, direction=direction))
        for dtype, preset, direction in cases
    ]


def _runs(experiment: Experiment) -> list[tuple[str, Asked]]:
    """(name of the file, run) of each: the varied choices are in the name."""
    varied = [name for name in experiment.parameters if name in EVERY_CHOICE]
    fixed = {"mode": "full"} if experiment.name in FULL else {}
    found = []
    for choices in product(*(experiment.parameters[name].choices for name in varied)):
        asked = experiment.asked("cuda", fixed | dict(zip(varied, choices, strict=True)))
        found.append(("-".join((experiment.name, *choices)), asked))
    return found


def _of_experiment(name: str, asked: Asked) -> Recording:
    return Recording(name, lambda path: _in_a_process(asked, path))


def _of_chain(request: Request) -> Recording:
    name = f"{request.preset}-{request.dtype}-{request.direction}"
    return Recording(name, lambda path: _in_this_process(request, path), short(request))


def _recorded(recording: Recording, path: Path) -> str | None:
    """What went wrong, if anything did: then a file that was there stays as it was."""
    partial = path.with_suffix(".partial")
    try:
        recording.write(partial)
    except Exception as fault:
        partial.unlink(missing_ok=True)
        return str(fault)
    partial.replace(path)
    return None


def _in_this_process(request: Request, path: Path) -> None:
    with path.open("w", encoding="utf-8") as file, redirect_stdout(file):
        gpu.run(request, samples=None)


def _in_a_process(asked: Asked, path: Path) -> None:
    command = [sys.executable, "-m", "kernels.bench", *asked.arguments()]
    with path.open("w", encoding="utf-8") as file:
        done = subprocess.run(
            command, stdout=file, stderr=subprocess.PIPE, text=True, check=False, timeout=SECONDS
        )
    if done.returncode:
        raise Failure("failed", _last_words(path, done.stderr))


def _last_words(path: Path, complaints: str) -> str:
    """The message of the error event, or the last line of what Python complained of."""
    try:
        event = json.loads(path.read_text(encoding="utf-8").splitlines()[-1])
        return event["message"]
    except (IndexError, KeyError, ValueError):
        return (complaints.strip().splitlines() or ["it said nothing"])[-1]
