"""The templates, and what they may call: how values are told, and what is looked up by name."""

from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from app.domain import ladder, practice, wording
from app.settings import ROOT
from app.web import charts, counts, evidence, facts, static, words
from kernels.lab.measures import per_cent

FILTERS: dict[str, Any] = {
    "clock": practice.clock,
    "per_cent": per_cent,
    **{
        tell.__name__: tell
        for tell in (
            *(
                words.ago,
                words.against,
                words.day,
                words.going_on,
                words.length_of_time,
                words.moment,
                words.several,
            ),
            *(facts.begun, facts.case_name, facts.columns_of_words, facts.fact, facts.label),
            *(facts.rate, facts.unparted, facts.us),
        )
    },
}
GLOBALS: dict[str, Any] = {
    "asset": static.address,
    "experiment_called": facts.experiment_called,
    "chain_counts": counts.chain_counts,
    "chain_on_cpu": evidence.chain_on_cpu,
    "of_another_chain": evidence.is_of_another_chain,
    "drawn": charts.drawn,
    "drawn_expectation": charts.drawn_expectation,
    "named": wording.named,
    "prose_of": ladder.prose_of,
}


@cache
def templates() -> Environment:
    """The templates; an unknown name in one is an error, and all text is escaped."""
    environment = Environment(
        loader=FileSystemLoader(ROOT / "templates"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(FILTERS)
    environment.globals.update(GLOBALS)
    return environment
