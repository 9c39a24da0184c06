"""The `ridgepoint` command."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from app.trouble import Trouble, in_one_sentence

Command = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; what goes wrong in a known way is said in one sentence."""
    chosen = _parser().parse_args(arguments)
    try:
        return _command(chosen.module, chosen.function)(chosen)
    except BrokenPipeError:
        _discard_output()
        return 141  # as a program that SIGPIPE ended
    except (Trouble, OSError) as trouble:
        print(f"ridgepoint: {in_one_sentence(trouble)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _discard_output() -> None:
    """Let the interpreter's last flush go nowhere: the reader of our output has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _command(module: str, function: str) -> Command:
    # Each command loads only what it needs: `--help` and `check` stay quick.
    return getattr(import_module(module), function)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ridgepoint",
        description="Rehearse interview questions on GPU and ML-systems performance.",
        epilog="Settings are environment variables: see app/settings.py, prefix RIDGEPOINT_.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _serving(commands)
    _cards(commands)
    _cases(commands)
    check = _add(commands, "check", "app.commands.check", "check", "check answers against a card")
    check.add_argument("slug", help="the card, such as fused-normalization-chain")
    check.add_argument(
        "--jsonl", required=True, metavar="FILE", help='lines of {"id", "text"}; - is stdin'
    )
    _add(
        commands,
        "doctor",
        "app.commands.doctor",
        "doctor",
        "say what works here and what is missing",
    )
    return parser


def _serving(commands: argparse._SubParsersAction) -> None:
    serve = _add(commands, "serve", "app.commands.serve", "serve", "start the site")
    serve.add_argument("--host", help="address to listen on (default 127.0.0.1)")
    serve.add_argument("--port", type=int, help="port to listen on (default 8000)")
    _add(commands, "worker", "app.commands.worker", "worker", "run benchmarks that were asked for")
    _add(commands, "migrate", "app.commands.serve", "migrate", "bring the database up to date")


def _cards(commands: argparse._SubParsersAction) -> None:
    cards = commands.add_parser("cards", help="check or import the card files")
    actions = cards.add_subparsers(required=True, metavar="ACTION")
    for name, function, text in (
        ("check", "check_cards", "find every fault in the card files"),
        ("import", "import_cards_command", "put the card files into the database"),
    ):
        action = _add(actions, name, "app.commands.cards", function, text)
        action.add_argument("folder", nargs="?", help="the folder of cards (default content/)")


def _cases(commands: argparse._SubParsersAction) -> None:
    cases = commands.add_parser("cases", help="labelled examples from what learners dispute")
    actions = cases.add_subparsers(required=True, metavar="ACTION")
    text = "give disputed checks out as labelled lines of JSON"
    export = _add(actions, "export", "app.commands.cases", "export", text)
    export.add_argument("--out", metavar="FILE", help="where to put them (default: print them)")


def _add(
    commands: argparse._SubParsersAction, name: str, module: str, function: str, text: str
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
    parser.set_defaults(module=module, function=function)
    return parser


if __name__ == "__main__":
    sys.exit(main())
