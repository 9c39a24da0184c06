"""Marks of tests that are of one of the two databases alone."""

import pytest

on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
on_postgres = pytest.mark.parametrize(
    "database_url", [pytest.param("postgres", marks=pytest.mark.postgres)], indirect=True
)
