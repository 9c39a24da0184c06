"""A receipt that someone made up, with a hash that fits, is refused in words or can be shown."""

import copy
import hashlib
import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from app.commands.receipt_text import lines
from app.runs.canonical import canonical
from app.runs.comparing import compare
from app.runs.receipt_reading import BadReceipt, read
from app.runs.receipts import FORMAT, SCHEMA, Receipt
from app.web import differences
from app.web.receipt import page_of
from kernels.lab import EXPERIMENTS
from kernels.lab.evidence import evidence_of
from tests.lab.runs import MEASURED, events_of
from tests.runs.measured import a_measurement

MADE = datetime.fromisoformat("2026-11-30T18:45:01+00:00")
BASES = {"chain": a_measurement(), **{name: events_of(name) for name in MEASURED}}
ODD = st.sampled_from(
    [
        None,
        True,
        0,
        -1,
        1e-300,
        1e299,
        10**25,
        "",
        "\x1b[2J",
        "W" * 200,
        [],
        {},
        [1],
        {"a": {"b": [None]}},
    ]
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every part of a value; of a long list to its first few."""
    yield path
    parts = value.items() if isinstance(value, dict) else ()
    parts = enumerate(value[:6]) if isinstance(value, list) else parts
    for name, part in parts:
        yield from places(part, (*path, name))


def changed(events: list[Any], path: tuple[Any, ...], value: Any) -> list[Any]:
    whole = copy.deepcopy(events)
    *way, last = path
    part: Any = whole
    for step in way:
        part = part[step]
    part[last] = copy.deepcopy(value)
    return whole


def hashed(events: list[Any]) -> bytes:
    """The file as its forger would write it."""
    try:
        content = Receipt(tuple(events), MADE, MADE).content
    except Exception:  # no content follows from these: any will do
        content = {"events": events}
    sha256 = hashlib.sha256(canonical(content)).hexdigest()
    file = {"format": FORMAT, "schema": SCHEMA, "sha256": sha256, "content": content}
    return json.dumps(file).encode()


@pytest.mark.parametrize("experiment", BASES)
@given(data=st.data())
@hypothesis_settings(max_examples=40, deadline=None, derandomize=True)
def test_whatever_is_believed_can_be_shown_and_compared(experiment: str, data: st.DataObject):
    events = BASES[experiment]
    path = data.draw(st.sampled_from(list(places(events))[1:]))
    try:
        receipt = read(hashed(changed(events, path, data.draw(ODD))))
    except BadReceipt:
        return
    assert list(lines(receipt))
    assert "<h1" in page_of(receipt, MADE, styles="")
    this, other = evidence_of(receipt.events), evidence_of(events)
    found = compare(this, other)
    assert differences.sentence(found, EXPERIMENTS[receipt.experiment], this, other)
    differences.told(found.differences, EXPERIMENTS[receipt.experiment])
