"""The `ridgepoint` command."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from app.trouble import Trouble, in_one_sentence

Command = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; what goes wrong in a known way is said in one sentence."""
    chosen = _parser().parse_args(arguments)
    try:
        return _command(chosen.calls)(chosen)
    except BrokenPipeError:
        _discard_output()
        return 141  # as a program that SIGPIPE ended
    except (Trouble, OSError) as trouble:
        print(f"ridgepoint: {in_one_sentence(trouble)}", file=sys.stderr)
        return 1
    except ValueError as fault:
        return _settings_refused(fault)
    except KeyboardInterrupt:
        return 130


def _settings_refused(fault: ValueError) -> int:
    """Say what is wrong with the settings; raise on what is about something else."""
    from app.settings import faults  # loaded by then, if it is about them

    told = faults(fault)
    if told is None:
        raise fault
    print(f"ridgepoint: the settings don't fit: {told}.", file=sys.stderr)
    return 1


def _discard_output() -> None:
    """Let the interpreter's last flush go nowhere: the reader of our output has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _command(calls: str) -> Command:
    # Each command loads only what it needs: `--help` and `check` stay quick.
    module, _, function = calls.partition(":")
    return getattr(import_module(module), function)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A command: what one types, the function it calls, what it does, and its arguments."""

    words: str
    calls: str
    does: str
    arguments: tuple[tuple[tuple[str, ...], dict[str, Any]], ...] = ()


def _argument(*names: str, **how: Any) -> tuple[tuple[str, ...], dict[str, Any]]:
    return names, how


_LINES = 'lines of {"id", "text"}; - is stdin'
_FOLDER = _argument("folder", nargs="?", help="the folder of cards (default content/)")
_ENTRIES = (
    _Entry(
        "serve",
        "app.commands.serve:serve",
        "start the site",
        (
            _argument("--host", help="address to listen on (default 127.0.0.1)"),
            _argument("--port", type=int, help="port to listen on (default 8000)"),
        ),
    ),
    _Entry("worker", "app.commands.worker:worker", "run benchmarks that were asked for"),
    _Entry("migrate", "app.commands.serve:migrate", "bring the database up to date"),
    _Entry(
        "check",
        "app.commands.check:check",
        "check answers against a card",
        (
            _argument("slug", help="the card, such as fused-normalization-chain"),
            _argument("--jsonl", required=True, metavar="FILE", help=_LINES),
        ),
    ),
    _Entry(
        "cards check",
        "app.commands.cards:check_cards",
        "find every fault in the card files",
        (_FOLDER,),
    ),
    _Entry(
        "cards import",
        "app.commands.cards:import_cards_command",
        "put the card files into the database",
        (_FOLDER,),
    ),
    _Entry(
        "cases export",
        "app.commands.cases:export",
        "give disputed checks out as labelled lines of JSON",
        (_argument("--out", metavar="FILE", help="where to put them (default: print them)"),),
    ),
    _Entry(
        "runs show",
        "app.commands.runs:show",
        "show a run's receipt, from its file alone",
        (
            _argument("file", help="a receipt, as a run's page gives it"),
            _argument("--html", metavar="OUT", help="write a page that needs no server instead"),
        ),
    ),
    _Entry(
        "runs import",
        "app.commands.runs:bring_in",
        "show receipts of runs measured elsewhere beside one's own",
        (_argument("files", nargs="+", metavar="FILE", help="a receipt"),),
    ),
    _Entry("doctor", "app.commands.doctor:doctor", "say what works here and what is missing"),
)
_GROUPS = {
    "cards": "check or import the card files",
    "cases": "labelled examples from what learners dispute",
    "runs": "show or import receipts of runs",
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ridgepoint",
        description="Rehearse interview questions on GPU and ML-systems performance.",
        epilog="Settings are environment variables: see app/settings.py, prefix RIDGEPOINT_.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    actions = {
        group: commands.add_parser(group, help=text).add_subparsers(required=True, metavar="ACTION")
        for group, text in _GROUPS.items()
    }
    for entry in _ENTRIES:
        group, _, name = entry.words.rpartition(" ")
        does = f"{entry.does[0].upper()}{entry.does[1:]}."
        command = (actions[group] if group else commands).add_parser(
            name, help=entry.does, description=does
        )
        for names, how in entry.arguments:
            command.add_argument(*names, **how)
        command.set_defaults(calls=entry.calls)
    return parser


if __name__ == "__main__":
    sys.exit(main())
