"""A moment some seconds after another, worked out by the database to the microsecond."""

from datetime import datetime
from typing import Any

from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from app.store.types import UtcDateTime


class later(FunctionElement[datetime]):
    """`later(moment, seconds)`: the moment so many whole seconds after a column's."""

    inherit_cache = True
    type = UtcDateTime()


@compiles(later, "postgresql")
def _on_postgresql(element: later, compiler: Any, **how: Any) -> str:
    moment, seconds = (compiler.process(one, **how) for one in element.clauses)
    return f"({moment} + make_interval(secs => {seconds}))"


@compiles(later, "sqlite")
def _on_sqlite(element: later, compiler: Any, **how: Any) -> str:
    """As text, as SQLite keeps it: its own functions would round what stands after the point."""
    moment, seconds = (compiler.process(one, **how) for one in element.clauses)
    second, fraction = f"substr({moment}, 1, 19)", f"substr({moment}, 20)"
    return f"(datetime({second}, {seconds} || ' seconds') || {fraction})"
