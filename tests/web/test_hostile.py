"""Whatever a file of a run holds, it is refused in a sentence or has a page: never an error."""

import json
from contextlib import suppress
from copy import deepcopy
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.domain.running import RunSource, RunState
from app.runs.choice import BadChoice, as_asked
from app.runs.conclusions import NoConclusion, draw
from app.runs.lines import BadLine
from app.runs.transcript import Transcript
from app.runs.view import RunView
from app.store.models import Run
from app.web.run_pages import shown
from app.web.templating import templates
from tests.lab.runs import MEASURED, events_of
from tests.runs.benches import CHECK, DEVICE, FUSED, LIMIT, SEPARATE, SUMMARY

WHOLE = {name: events_of(name) for name in MEASURED} | {
    "chain": [DEVICE, CHECK, LIMIT, SEPARATE, FUSED, SUMMARY]
}
ODD = st.sampled_from(
    [None, True, 0, -1, 1e300, 1e-300, 10**18, "", "x", "<b>", "9" * 300, [], [1], {}, {"a": {}}]
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in nested values, but only the first few of a list."""
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))[:2]
    return [path] * bool(path) + [p for key, one in inner for p in places(one, (*path, key))]


def changed(events: list[dict[str, Any]], path: tuple[Any, ...], value: Any) -> None:
    """Put `value` in its place, or take out what stands there."""
    *way, last = path
    held: Any = events
    for step in way:
        held = held[step]
    held[last] = value


@pytest.mark.parametrize("name", WHOLE)
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(data=st.data())
def test_a_run_with_a_strange_value_is_refused_or_shown(name: str, data: st.DataObject):
    events = deepcopy(WHOLE[name])
    spots = [spot for spot in places(events) if len(spot) > 1 and spot[-1] != "event"]
    for _ in range(data.draw(st.integers(1, 2))):
        spot, value = data.draw(st.sampled_from(spots)), data.draw(ODD)
        with suppress(TypeError, IndexError, KeyError):  # the first change may have taken it away
            changed(events, spot, deepcopy(value))
    page = shown_or_refused(name, events)
    assert page is None or 'id="run-state"' in page


def shown_or_refused(name: str, events: list[dict[str, Any]]) -> str | None:
    """The run's part of the page; None where its lines are refused."""
    transcript = Transcript(name)
    try:
        for event in events:
            transcript.add(json.dumps(event).encode())
        conclusion = draw(name, transcript.events)
    except (BadLine, NoConclusion):
        return None
    if transcript.verdict(0) is not None:
        return None
    now = datetime.now(UTC)
    parameters = next(e for e in events if e["event"] == "device")["parameters"]
    run = Run("r", name, {**parameters, "device": "gpu"}, RunSource.RECORDED, RunState.DONE, now)
    view = RunView("v", run, transcript.events, None, True, {}, None, conclusion, None)
    values = shown(view, None)
    part = templates().get_template("_run.html")
    part.render(**values)
    return part.render(**values | {"to_match": False})


def test_a_stored_choice_that_is_offered_no_longer_says_so():
    with pytest.raises(BadChoice, match="Dtype must be one of"):
        as_asked("width", {"dtype": "int4", "device": "gpu"})
