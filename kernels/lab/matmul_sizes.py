"""What a run of matmuls says at each size: measured, predicted, drawn."""

from kernels.lab.evidence import Case, Evidence, Incomplete
from kernels.lab.measures import per_cent, ratio_interval, us
from kernels.lab.pictures import Axis, Mark, Plot, Point, Series, Table
from kernels.lab.products import Products

ITEMSIZE = 2
WIDER = 4  # hidden ÷ features in the picture, as in a transformer's feed-forward layer


def best_apart(evidence: Evidence, fused: Case) -> Case:
    """The faster of the ways that cuBLAS has at the fused case's size."""
    ways = [case for name in ("apart", "epilogue") for case in evidence.of(name, **fused.at)]
    return (
        min(ways, key=lambda case: case.median_us) if ways else evidence.case("apart", **fused.at)
    )


def counted(fused: Case, passes: int = 0) -> Products:
    """The counts at the fused case's size, with so many passes between the products apart."""
    sizes = (fused.at[name] for name in ("rows", "features", "hidden"))
    return Products(*sizes, fused.fact("columns"), ITEMSIZE, passes)


def limits(evidence: Evidence) -> tuple[float, float]:
    """(FLOP a second, bytes a second) of this run: its fastest product's, and torch.add's."""
    if "add_gb_per_s" not in evidence.limit:
        raise Incomplete("a limit line")
    products = (evidence.case("peak"), *evidence.of("apart"))
    fastest = max(case.facts.get("flops", 0) / case.median_us for case in products)
    return fastest * 1e6, evidence.limit["add_gb_per_s"] * 1e9


def predicted(evidence: Evidence, fused: Case) -> float:
    """How many times faster the one kernel could be, from counts and measured limits."""
    most, passes = limits(evidence), best_apart(evidence, fused).facts.get("passes", 0)
    return counted(fused, passes).seconds_apart(*most) / counted(fused).seconds_fused(*most)


def pays(evidence: Evidence) -> list[Case]:
    """The sizes at which the one kernel is faster, beyond doubt."""
    return [
        case for case in evidence.of("fused")
        if ratio_interval(best_apart(evidence, case).samples_us, case.samples_us)[0] > 1
    ]  # fmt: skip


def speedup(evidence: Evidence, fused: Case) -> float:
    """How many times faster the one kernel is than cuBLAS's best at its size."""
    return best_apart(evidence, fused).median_us / fused.median_us


def arrows(case: Case) -> str:
    """The size, as it is written."""
    features, hidden = case.at["features"], case.at["hidden"]
    return f"{features} → {hidden} → {features}"


def picture(evidence: Evidence) -> Plot:
    """The one kernel's speed-up over the length of a row, measured and predicted."""
    cases = [c for c in evidence.of("fused") if c.at["hidden"] == WIDER * c.at["features"]]
    cases.sort(key=lambda case: case.at["features"])
    measured = tuple(_point(evidence, case) for case in cases)
    theory = tuple(Point(case.at["features"], predicted(evidence, case)) for case in cases)
    return Plot(
        "Speed-up of the one kernel",
        Axis("features of x and y; the intermediate has four times as many", log=True),
        Axis("cuBLAS's time ÷ the one kernel's", "×", log=True),
        (Series("Measured", measured, "one"), Series("By FLOPs and bytes", theory, "theory")),
        marks=(Mark(1.0, "as fast"),),
        caption="Ratio of medians, with 95 % of resamplings. Under the dashed line two "
        "products are faster.",
    )


def _point(evidence: Evidence, case: Case) -> Point:
    low, high = ratio_interval(best_apart(evidence, case).samples_us, case.samples_us)
    return Point(case.at["features"], speedup(evidence, case), low, high, arrows(case))


COLUMNS = (
    "Size", "Rows", "cuBLAS, µs", "One kernel, µs", "Speed-up", "Predicted",
    "Intermediate, of bytes", "FLOPs of one ÷ two",
)  # fmt: skip


def table(evidence: Evidence) -> Table:
    """Every size: times, counts and what they predict."""
    cases = sorted(evidence.of("fused"), key=lambda c: (c.at["features"], c.at["hidden"]))
    return Table("Each size", COLUMNS, tuple(_row(evidence, case) for case in cases))


def _row(evidence: Evidence, case: Case) -> tuple[str, ...]:
    apart = best_apart(evidence, case)
    count = counted(case, apart.facts.get("passes", 0))
    return (
        arrows(case).replace(" ", "\N{NO-BREAK SPACE}"), f"{case.at['rows']:,}",
        us(apart.median_us), us(case.median_us),
        f"{speedup(evidence, case):.2f}×", f"{predicted(evidence, case):.2f}×",
        per_cent(count.intermediate_share), f"{count.flops_fused / count.flops:.1f}",
    )  # fmt: skip
