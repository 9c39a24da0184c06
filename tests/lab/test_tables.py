"""The tables of all experiments: each column has a name of its own and something to show."""

import pytest

from tests.lab.recorded import RECORDED, concluded
from tests.lab.test_activation import on_a_processor

NOTHING = {"–", ""}


def tables_of(name: str):
    """The tables of a recording, or of what a processor measured."""
    return (on_a_processor() if name == "processor" else concluded(name)).tables


@pytest.mark.parametrize("name", [*RECORDED, "processor"])
def test_columns_differ_in_name_and_none_is_empty(name):
    for table in tables_of(name):
        assert len(set(table.columns)) == len(table.columns)
        for title, cells in zip(table.columns, zip(*table.rows, strict=True), strict=True):
            assert set(cells) - NOTHING, (table.title, title)


def test_a_steps_parts_are_told_from_the_longest_to_the_shortest():
    [table] = concluded("share-quartznet").tables
    longest = [
        max(float(cell.replace(",", "")) for cell in row[1:] if cell != "–") for row in table.rows
    ]
    assert longest[:-1] == sorted(longest[:-1], reverse=True)
    assert table.rows[-1][0] == "whole step"
