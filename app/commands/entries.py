"""What one can type after `ridgepoint`; nothing of it is loaded before it is chosen."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Entry:
    """A command: what one types, the function it calls, what it does, and its arguments."""

    words: str
    calls: str
    does: str
    arguments: tuple[tuple[tuple[str, ...], dict[str, Any]], ...] = ()


def _argument(*names: str, **how: Any) -> tuple[tuple[str, ...], dict[str, Any]]:
    return names, how


_LINES = 'lines of {"id", "text"}; - is stdin'
_FOLDER = _argument("folder", nargs="?", help="the folder of cards (default content/)")
ENTRIES = (
    Entry(
        "serve",
        "app.commands.serve:serve",
        "start the site",
        (
            _argument("--host", help="address to listen on (default 127.0.0.1)"),
            _argument("--port", type=int, help="port to listen on (default 8000)"),
        ),
    ),
    Entry("worker", "app.commands.worker:worker", "run benchmarks that were asked for"),
    Entry("migrate", "app.commands.serve:migrate", "bring the database up to date"),
    Entry(
        "check",
        "app.commands.check:check",
        "check answers against a card",
        (
            _argument("slug", help="the card, such as fused-normalization-chain"),
            _argument("--jsonl", required=True, metavar="FILE", help=_LINES),
        ),
    ),
    Entry(
        "cards check",
        "app.commands.cards:check_cards",
        "find every fault in the card files",
        (_FOLDER,),
    ),
    Entry(
        "cards import",
        "app.commands.cards:import_cards_command",
        "put the card files into the database",
        (_FOLDER,),
    ),
    Entry(
        "cases export",
        "app.commands.cases:export",
        "give disputed checks out as labelled lines of JSON",
        (_argument("--out", metavar="FILE", help="where to put them (default: print them)"),),
    ),
    Entry(
        "runs show",
        "app.commands.runs:show",
        "show a run's receipt, from its file alone",
        (
            _argument("file", help="a receipt, as a run's page gives it"),
            _argument("--html", metavar="OUT", help="write a page that needs no server instead"),
        ),
    ),
    Entry(
        "runs import",
        "app.commands.runs:bring_in",
        "show receipts of runs measured elsewhere beside one's own",
        (_argument("files", nargs="+", metavar="FILE", help="a receipt"),),
    ),
    Entry("doctor", "app.commands.doctor:doctor", "say what works here and what is missing"),
)
GROUPS = {
    "cards": "check or import the card files",
    "cases": "labelled examples from what learners dispute",
    "runs": "show or import receipts of runs",
}
