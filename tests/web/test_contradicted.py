"""Every experiment's page says of samples that contradict its claim that it does not hold here."""

from collections.abc import Sequence
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.store.engine import Database
from kernels.lab import EXPERIMENTS
from tests.lab import test_activation as activation
from tests.lab import test_backward as backward
from tests.lab import test_broken as broken
from tests.lab import test_chain as chain
from tests.lab import test_flops as flops
from tests.lab import test_idle as idle
from tests.lab import test_matmuls as matmuls
from tests.lab import test_roofline as roofline
from tests.lab import test_share as share
from tests.lab import test_size as size
from tests.lab import test_width as width
from tests.web.lab_runs import keep
from tests.web.reading import plain

Events = Sequence[dict[str, Any]]


def passes(separate: float, fused: float) -> Events:
    return chain.variant("separate", separate, 861), chain.variant("fused", fused, 369)


def products(apart: float, fused: float) -> Events:
    return matmuls.LIMIT, matmuls.PEAK, *matmuls.sized(1280, 5120, apart, fused)


SAID: dict[str, tuple[Events, Events, Events]] = {  # that bear it out, contradict, decide nothing
    "chain": (passes(220.0, 100.0), passes(100.0, 220.0), passes(100.0, 100.0)),
    "flops": (flops.run(), flops.run(fused_flops=6), flops.run(fused_us=99.9)),
    "roofline": (
        roofline.roofline(),
        roofline.roofline(ffn_up=50.0),
        roofline.roofline(matmul_us=[300.0, 1000.0] * 15, ffn_up=400.0),
    ),
    "share": (share.measured(810.0), share.measured(500.0), share.measured(1000.0)),
    "matmuls": (products(1800.0, 9000.0), products(9000.0, 1800.0), products(1800.0, 1800.0)),
    "width": (width.swept(180.0), width.swept(80.0), width.swept(100.0)),
    "size": (size.swept(), size.swept(large=1.5), size.swept(large=7 / 3 * 1.1)),
    "activation": (activation.swept(130.0), activation.swept(101.0), activation.swept(105.0)),
    "backward": (backward.timed(), backward.timed(forward=80.0), backward.timed(forward=95.0)),
    "idle": (
        idle.steps((2000.0, 2000.0), (1000.0, 500.0)),
        idle.steps((2000.0, 1500.0), (1000.0, 500.0)),
        idle.steps((2000.0, 2000.0), (1000.0, 1000.0)),
    ),
    "broken": (
        broken.measured(no_synchronize=(500.0, 100.0)),
        broken.measured(),
        broken.measured(zeros=([100.0, 300.0] * 15, [100.0, 300.0] * 15)),
    ),
}


def test_no_experiment_is_left_out():
    assert list(SAID) == list(EXPERIMENTS)


@pytest.mark.parametrize("name", EXPERIMENTS)
@pytest.mark.parametrize(
    ("which", "words"),
    [
        (0, "The claim holds here."),
        (1, "The claim does not hold here."),
        (2, "This run cannot decide the claim."),
    ],
    ids=["borne out", "contradicted", "undecided"],
)
def test_the_page_says_what_the_samples_mean_for_the_claim(
    client: TestClient, database: Database, name: str, which: int, words: str
):
    run_id = keep(database, name, SAID[name][which])
    client.post(f"/runs/{run_id}/matches", data={"show": "1"})
    page = client.get(f"/runs/{run_id}")
    assert page.status_code == 200
    assert f"The claim: {EXPERIMENTS[name].claim} {words}" in plain(page.text)
