"""The arguments of `chain`, which takes any shape, not only those with a name."""

import argparse

from kernels.bench import protocol
from kernels.bench.emit import Failure


def add(parser: argparse.ArgumentParser) -> None:
    """Give the parser the chain's arguments."""
    named = ", ".join(
        f"{name} ({p.batch}×{p.frames}×{p.features})" for name, p in protocol.PRESETS.items()
    )
    parser.add_argument("--preset", choices=protocol.PRESETS, help=f"an encoder's shape: {named}")
    parser.add_argument("--rows", type=int, help="rows, where no preset is given (4096)")
    parser.add_argument("--features", type=int, help="features, where no preset is given (1024)")
    parser.add_argument("--dtype", choices=protocol.DTYPES, default="bf16")
    parser.add_argument("--norm", choices=protocol.NORMS, default="layer")
    parser.add_argument("--activation", choices=protocol.ACTIVATIONS, default="gelu")
    parser.add_argument("--direction", choices=protocol.DIRECTIONS, default="forward")
    parser.add_argument("--device", choices=protocol.DEVICES, default="cuda")
    parser.add_argument("--samples", type=int, help="timed rounds (100 on a GPU, 15 on a CPU)")


def request(given: argparse.Namespace) -> protocol.Request:
    """What was asked for; Failure where it can't be run."""
    names = ("dtype", "norm", "activation", "direction", "device")
    rest = {name: getattr(given, name) for name in names}
    try:
        if given.samples is not None and not 3 <= given.samples <= 10_000:
            raise ValueError(f"samples must be from 3 to 10000, not {given.samples}")
        if given.preset is None:
            rows = 4096 if given.rows is None else given.rows
            features = 1024 if given.features is None else given.features
            return protocol.Request(rows, features, **rest).checked()
        if given.rows is not None or given.features is not None:
            raise ValueError("give a preset or rows and features, not both")
        return protocol.from_preset(given.preset, **rest)
    except ValueError as fault:
        raise Failure("bad_request", str(fault)) from None
