"""The `ridgepoint` command."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from app.commands.entries import ENTRIES, GROUPS
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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ridgepoint",
        description="Rehearse interview questions on GPU and ML-systems performance.",
        epilog="Settings are environment variables: see app/settings.py, prefix RIDGEPOINT_.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    actions = {
        group: commands.add_parser(group, help=text).add_subparsers(required=True, metavar="ACTION")
        for group, text in GROUPS.items()
    }
    for entry in ENTRIES:
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
