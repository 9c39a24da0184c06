"""python -m kernels.bench EXPERIMENT: measure, and print one JSON object a line.

    device   say what there is to measure on
    chain    norm → activation → + residual: fused against separate, eager and compiled
    …        the other experiments of kernels/lab
    limits   a table: the fused kernels' share of the machine's limit, with its bars
    tune     the fastest launches, for kernels/tuned.py
    record   every experiment, and the chain in every preset, bf16 and fp32, both ways, into files

The lines are described in kernels/bench/protocol.py. The exit code is 0 for a
whole measurement; otherwise the last line is an "error" that says why.
"""

import argparse
import sys
from importlib import import_module
from pathlib import Path

from kernels.bench import chain_arguments, protocol
from kernels.bench.emit import Failure, emit, guarded
from kernels.lab import EXPERIMENTS
from kernels.lab.experiment import Experiment


def main(arguments: list[str] | None = None) -> int:
    """Run one experiment; the exit code."""
    given = _parser().parse_args(arguments)
    return guarded(lambda: given.run(given))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m kernels.bench",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    experiments = parser.add_subparsers(required=True, metavar="EXPERIMENT")
    device = experiments.add_parser("device", help="say what there is to measure on")
    device.set_defaults(run=_device)
    chain = experiments.add_parser("chain", help="time the chain, fused and separate")
    chain_arguments.add(chain)
    chain.set_defaults(run=_chain)
    for experiment in EXPERIMENTS.values():
        if experiment.name != "chain":
            _add(experiments.add_parser(experiment.name, help=experiment.title), experiment)
    record = experiments.add_parser("record", help="record every experiment on this GPU")
    record.add_argument("--out", type=Path, required=True, help="the folder for the recordings")
    record.add_argument(
        "--only", action="append", choices=EXPERIMENTS, default=[],
        help="only this experiment; may be given several times",
    )  # fmt: skip
    record.set_defaults(run=_record)
    limits = experiments.add_parser("limits", help="the kernels against the machine's limit")
    limits.set_defaults(run=_limits)
    tune = experiments.add_parser("tune", help="try launches; what kernels/tuned.py comes from")
    _add_tune(tune)
    return parser


def _add_tune(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--direction", choices=protocol.DIRECTIONS[:2], help="only this one")
    parser.add_argument("--dtype", choices=protocol.DTYPES, help="only elements of its size")
    parser.add_argument("--features", type=int, help="only rows of this length")
    parser.set_defaults(run=_tune)


def _tune(given: argparse.Namespace) -> None:
    from kernels.bench import tune
    from kernels.traffic import ITEMSIZE

    directions = [given.direction] if given.direction else protocol.DIRECTIONS[:2]
    tune.run(directions, [ITEMSIZE[given.dtype]] if given.dtype else (2, 4), given.features)


def _limits(_given: argparse.Namespace) -> None:
    from kernels.bench import limits

    limits.run()


def _record(given: argparse.Namespace) -> None:
    from kernels.bench import record

    record.run(given.out, given.only)


def _add(parser: argparse.ArgumentParser, experiment: Experiment) -> None:
    parser.description = f"{experiment.claim} {experiment.shown}"
    for name, one in experiment.parameters.items():
        parser.add_argument(f"--{name}", choices=one.choices, default=one.default)
    parser.add_argument("--device", choices=protocol.DEVICES, default="cuda")
    parser.set_defaults(run=lambda given: _experiment(experiment, given))


def _experiment(experiment: Experiment, given: argparse.Namespace) -> None:
    chosen = {name: getattr(given, name) for name in experiment.parameters}
    try:
        asked = experiment.asked(given.device, chosen)
    except ValueError as fault:
        raise Failure("bad_request", str(fault)) from None
    import_module(f"kernels.bench.experiments.{experiment.name}").run(asked)


def _device(_given: argparse.Namespace) -> None:
    from kernels.bench import machine, provenance

    torch = machine.need_torch()
    try:
        facts = machine.gpu(machine.need_gpu())
    except Failure as failure:
        facts = machine.cpu(torch) | {"no_gpu": str(failure)}
    emit("device", **facts, versions=provenance.versions())


def _chain(given: argparse.Namespace) -> None:
    request = chain_arguments.request(given)
    if request.device == "cpu":
        from kernels.bench import cpu as edition
    else:
        from kernels.bench import gpu as edition
    edition.run(request, given.samples)


if __name__ == "__main__":
    sys.exit(main())
