"""The width experiment's picture and table: the rate over the length of a row, by strategy."""

from kernels.lab.evidence import Case, Evidence
from kernels.lab.measures import us
from kernels.lab.pictures import Axis, Mark, Plot, Point, Role, Series, Table

Sweep = tuple[tuple[int, Case], ...]

STRATEGIES: dict[str, tuple[str, str, Role]] = {
    "whole": ("whole row in one program", "one program", "one"),
    "team": ("row shared by a team of programs", "a team", "one"),
    "looped": ("row read twice, in pieces", "read twice", "other"),
}
"""In the picture, and in the table, where a phone has room for two words beside the numbers. A team
reads a row once as well, so both are drawn as one pass."""


def picture(evidence: Evidence, sweep: Sweep) -> Plot:
    """The rate at each length, one series a strategy."""

    def points(strategy: str) -> tuple[Point, ...]:
        chosen = [(x, case) for x, case in sweep if case.fact("strategy") == strategy]
        return tuple(Point(x, case.gb_per_s, *_spread(case)) for x, case in chosen)

    series = [Series(name, points(key), role) for key, (name, _, role) in STRATEGIES.items()]
    limit = evidence.limit.get("add_gb_per_s")
    return Plot(
        "Rate over the length of a row",
        Axis("features in a row", log=True),
        Axis("rate", "GB/s"),
        tuple(one for one in series if one.points),
        marks=(Mark(limit, f"limit {limit:,.0f} GB/s"),) if limit else (),
        caption="Median; the thin lines span p10 to p90. The volume is about the same everywhere.",
    )


def _spread(case: Case) -> tuple[float, float]:
    moved = case.fact("bytes") / 1e3
    return moved / case.p90_us, moved / case.p10_us


def table(sweep: Sweep) -> Table:
    """Every length with its strategy, as timed and as compiled."""
    columns = ("Features", "Strategy", "Median, µs", "Rate, GB/s", "Registers a lane", "Spilled, B")
    rows = tuple(
        (
            f"{features:,}", STRATEGIES[case.fact("strategy")][1], us(case.median_us),
            f"{case.gb_per_s:,.0f}", _counted(case, "registers"), _counted(case, "spills"),
        )
        for features, case in sweep
    )  # fmt: skip
    return Table("Each length", columns, rows)


def _counted(case: Case, fact: str) -> str:
    """A count out of the compiled kernel; a dash where it could not be read."""
    count = case.facts.get(fact)
    return "–" if count is None else f"{count:,}"
