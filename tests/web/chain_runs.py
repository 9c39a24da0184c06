"""Runs of the chain, the site's first experiment: what is asked, and all that is measured."""

from starlette.testclient import TestClient

from tests.runs.benches import CHECK, DEVICE, FUSED, LIMIT, SEPARATE, SUMMARY
from tests.web.lab_runs import started

ON_GPU = {"preset": "whisper-large", "dtype": "bf16", "direction": "forward", "where": "gpu"}
WHOLE = [DEVICE, CHECK, LIMIT, SEPARATE, FUSED, SUMMARY]


def started_chain(client: TestClient, **others: str) -> str:
    """Start a run of the chain, on a GPU unless told otherwise; the address of its page."""
    return started(client, "chain", **ON_GPU | others)
