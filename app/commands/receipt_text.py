"""A receipt for a terminal: the sentence, what is doubtful, the numbers, the tables."""

from collections.abc import Iterator, Sequence

from app.domain.running import RunSource
from app.domain.wording import title_of
from app.runs.conclusions import draw
from app.runs.receipts import HASHED, Receipt
from app.web.facts import begun, case_name, us
from app.web.run_pages import sentence
from app.web.words import moment
from kernels.lab import EXPERIMENTS
from kernels.lab.conclusion import Conclusion
from kernels.lab.evidence import Case, evidence_of
from kernels.lab.pictures import Table

EACH = ("Case", "Median, µs", "p10–p90, µs", "n")


def lines(receipt: Receipt) -> Iterator[str]:
    """What the receipt says, line by line; characters that steer a terminal are taken out."""
    return map(plain, _lines(receipt))


def plain(text: str) -> str:
    """`text` without what a terminal would obey: a file from elsewhere may hold anything."""
    return "".join(one if one.isprintable() else _harmless(one) for one in text)


def _harmless(character: str) -> str:
    return " " if character.isspace() else "\N{REPLACEMENT CHARACTER}"


def _lines(receipt: Receipt) -> Iterator[str]:
    experiment = EXPERIMENTS[receipt.experiment]
    conclusion = draw(receipt.experiment, receipt.events)
    yield str(sentence(RunSource.IMPORTED, conclusion, evidence_of(receipt.events)))
    yield from (f"Suspect: {line}" for line in conclusion.suspects)
    yield f"The claim: {experiment.claim} {begun(conclusion.outcome)}."
    yield ""
    yield f"{experiment.title}: {title_of(experiment, receipt.device['parameters'])}"
    yield _where(receipt)
    yield from _numbers(conclusion)
    yield from _table(_measured(receipt))
    for table in conclusion.tables:
        yield from _table(table)
    if conclusion.notes:
        yield ""
        yield from (f"- {note}" for note in conclusion.notes)
    yield ""
    yield f"{receipt.sha256}: {HASHED}."


def _where(receipt: Receipt) -> str:
    when = f", {moment(receipt.finished_at)}" if receipt.finished_at else ""
    return f"Measured on {receipt.device['name']}{when}"


def _numbers(conclusion: Conclusion) -> Iterator[str]:
    rows = [(one.name, one.shown, f"{one.formula} = {one.inputs}") for one in conclusion.numbers]
    names, shown = (max((len(row[place]) for row in rows), default=0) for place in (0, 1))
    yield ""
    for name, value, how in rows:
        yield f"  {name.ljust(names)}  {value.rjust(shown)}  {how}"


def _measured(receipt: Receipt) -> Table:
    """Each case with its times."""
    cases = evidence_of(receipt.events).cases
    return Table("Every case", EACH, tuple(map(_row, cases)))


def _row(case: Case) -> tuple[str, ...]:
    spread = f"{us(case.p10_us)}–{us(case.p90_us)}"
    return case_name(case), us(case.median_us), spread, str(len(case.samples_us))


def _table(table: Table) -> Iterator[str]:
    yield ""
    yield f"{table.title}"
    yield from _columns([table.columns, *table.rows])
    if table.note:
        yield f"  {table.note}"


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The rows with their cells in line: the first to the left, the others to the right."""
    cells = [[plain(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        first, *others = (
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  " + "  ".join([first, *others]).rstrip()
