"""A device from elsewhere may have a name as long as a line may hold: no page runs out for it."""

import pytest

from app.domain.running import RunSource
from app.store.engine import Database
from tests.browser.steps import look_over
from tests.runs.measured import a_measurement, keep

NAME = "W" * 200


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("address", ["/runs/far", "/runs", "/runs/far/comparison?with=near"])
def test_pages_hold_the_longest_name(opened, database: Database, width: int, address: str):
    far = a_measurement(name=NAME, versions={"torch": "V" * 900, "K" * 200: "1"})
    keep(database, "far", far, source=RunSource.IMPORTED)
    keep(database, "near", a_measurement())
    look_over(opened(address, width=width))
