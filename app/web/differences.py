"""How two runs compare, in words: what differs between them, and what was found first of all."""

from collections.abc import Sequence
from typing import Any

from app.domain.wording import brief
from app.runs.comparing import Comparison, Pair, Verdict
from app.runs.unlike import Difference
from app.web.facts import begun, case_name, fact, label, within
from kernels.lab.evidence import Evidence
from kernels.lab.experiment import Experiment

SHOWN_DIGITS = 12
KINDS = {"cuda": "a GPU", "cpu": "a processor"}


def sentence(found: Comparison, experiment: Experiment, this: Evidence, other: Evidence) -> str:
    """What the page of two runs begins with."""
    if found.apart:
        return f"These two runs can't be compared case by case: {_apart(found.apart, experiment)}."
    if not found.pairs:
        return "These two runs have no case in common, so nothing of them can be compared."
    here, there = _places(this, other)
    if len(found.pairs) == 1:
        return _of_one(found.pairs[0], here, there)
    return _of_many(found, f"{here} than {there}")


def told(differences: Sequence[Difference], experiment: Experiment) -> list[tuple[str, str, str]]:
    """What differs, each once: its name, the value here, the value there; a dash where none is.

    Where the devices have other names, their ids go without saying.
    """
    named = {(one.kind, one.name) for one in differences}
    if ("device", "name") in named:
        named -= {("device", "id")}
    rows = (
        (
            begun(_title(one.name, experiment)),
            _value(one, one.this, experiment),
            _value(one, one.other, experiment),
        )
        for one in differences
        if (one.kind, one.name) in named
    )
    return list(dict.fromkeys(rows))


def times(ratio: float) -> str:
    """A ratio with as many digits as tell it from 1: `2.30×`, `1.004×`."""
    return f"{ratio:.3f}×" if abs(ratio - 1) < 0.0095 else f"{ratio:.2f}×"


def _of_one(pair: Pair, here: str, there: str) -> str:
    name = case_name(pair.this)
    if pair.verdict is Verdict.NO_DIFFERENCE:
        return f"No measurable difference in the one case that both runs measured, {name}."
    ratio = pair.ratio if pair.verdict is Verdict.FASTER else 1 / pair.ratio
    return f"{begun(name)} is {times(ratio)} {pair.verdict} {here} than {there}."


def _of_many(found: Comparison, compared: str) -> str:
    counts = {verdict: found.count(verdict) for verdict in Verdict if found.count(verdict)}
    n = len(found.pairs)
    if counts.keys() == {Verdict.NO_DIFFERENCE}:
        return f"No measurable difference in any of the {n} cases that both runs measured."
    if len(counts) == 1:
        return f"All {n} cases that both runs measured are {next(iter(counts))} {compared}."
    first = next(iter(counts))
    parts = [f"{counts[first]} {_are(counts[first])} {first} {compared}"]
    parts += [_part(verdict, counts[verdict]) for verdict in list(counts)[1:]]
    return f"Of the {n} cases that both runs measured, {_listed(parts)}."


def _part(verdict: Verdict, count: int) -> str:
    if verdict is Verdict.NO_DIFFERENCE:
        return f"{count} {'shows' if count == 1 else 'show'} no measurable difference"
    return f"{count} {_are(count)} {verdict}"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _apart(differences: Sequence[Difference], experiment: Experiment) -> str:
    if any(one.name == "kind" for one in differences):
        return "one was measured on a GPU and the other on a processor, which does other work"
    return f"they differ in {_listed([_title(one.name, experiment) for one in differences])}"


def _places(this: Evidence, other: Evidence) -> tuple[str, str]:
    """The two runs' places as one says them: their devices, where those have other names."""
    if this.device_name == other.device_name:
        return "in this run", "in the other"
    return f"on the {this.device_name}", f"on the {other.device_name}"


def _title(name: str, experiment: Experiment) -> str:
    known = experiment.parameters.get(name)
    if name == "kind":
        return "measured on"
    if name == "name":
        return "device"
    return within(known.title if known else label(name))


def _value(one: Difference, value: Any, experiment: Experiment) -> str:
    known = experiment.parameters.get(one.name)
    if value is None:
        return "–"
    if one.name == "kind":
        return KINDS.get(value, str(value))
    if known is not None:
        return brief(known.choices.get(str(value), str(value)))
    told = str(fact(value, one.name))
    is_hash = one.name in ("commit", "id") or one.name.endswith("sha256")
    return told[:SHOWN_DIGITS] if is_hash else told


def _listed(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
