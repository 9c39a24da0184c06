"""The site with its embedded worker as real processes: what a kill -9 of either leaves behind."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from app.domain.running import RunState
from app.runs.embedded import as_environment
from app.settings import ROOT, Settings
from app.store.engine import Database
from tests.runs.conftest import (
    PATIENCE_SECONDS,
    ended,
    events_of,
    eventually,
    is_alive,
    pids_of,
    the_run,
    with_bench,
    workers,
)
from tests.store.databases import on_sqlite

# An embedded worker is the laptop's way, and so is SQLite.
pytestmark = on_sqlite

FORM = {"preset": "whisper-large", "dtype": "bf16", "direction": "forward", "where": "gpu"}


class Site:
    """A server as `ridgepoint serve` starts it, and a browser without JavaScript."""

    def __init__(self, popen: "subprocess.Popen[str]") -> None:
        self.popen = popen
        assert popen.stdout is not None
        words = popen.stdout.readline().split()
        address = next(word for word in words if word.startswith("http"))
        self.browser = httpx2.Client(
            base_url=address, headers={"Sec-Fetch-Site": "same-origin"}, timeout=PATIENCE_SECONDS
        )

    def start_run(self) -> str:
        """Start a run once a worker is there; its id."""
        answer = self.browser.post("/experiments/chain/runs", data=FORM)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"].rpartition("/")[2]

    def kill(self) -> None:
        """End it at once, with no chance to tidy up."""
        self.popen.kill()
        self.popen.wait()

    def workers(self) -> list[int]:
        """Process ids of the workers it has started; it keeps a checker as well."""
        tasks = Path(f"/proc/{self.popen.pid}/task")
        found = [(task / "children").read_text().split() for task in tasks.iterdir()]
        return [int(pid) for pids in found for pid in pids if is_worker(pid)]


def is_worker(pid: str) -> bool:
    """Whether the process is a worker; one that has ended meanwhile is none."""
    try:
        return b"app.runs.embedded" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


@contextmanager
def a_site(settings: Settings) -> Iterator[Site]:
    """A site that is gone, worker and all, when the block is left."""
    embedding = settings.model_copy(update={"embedded_worker": True, "secret": ""})
    command = [sys.executable, "-m", "app.cli", "serve", "--port", "0"]
    environment = os.environ | as_environment(embedding)
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as popen:
        site = Site(popen)
        try:
            yield site
        finally:
            site.browser.close()
            if popen.poll() is None:
                popen.send_signal(signal.SIGTERM)


@pytest.fixture
def endless(settings: Settings) -> Settings:
    """Settings whose runs never end by themselves."""
    return with_bench(settings, "endless")


def test_closing_the_tab_loses_nothing(settings: Settings, database: Database):
    with a_site(settings) as site:
        run_id = site.start_run()
        with site.browser.stream("GET", f"/runs/{run_id}/events") as stream:
            assert next(stream.iter_lines())
        assert ended(database, run_id).state is RunState.DONE
        assert "One pass is 2.20× faster" in site.browser.get(f"/runs/{run_id}").text


def test_two_tabs_see_the_same_run_to_its_end(settings: Settings, database: Database):
    with a_site(settings) as site:
        run_id = site.start_run()
        address = f"/runs/{run_id}/events"
        with site.browser.stream("GET", address) as one, site.browser.stream("GET", address) as two:
            last = [stream.read().decode().rpartition("id: ")[2] for stream in (one, two)]
        assert last[0] == last[1]
        assert last[0].startswith("done.")


def test_kill_9_of_the_web_process_takes_its_worker_and_the_benchmark_with_it(
    endless: Settings, settings: Settings, database: Database
):
    with a_site(endless) as site:
        run_id = site.start_run()
        pids = eventually(lambda: pids_of(database, run_id))
        workers_before = site.workers()
        site.kill()
    eventually(lambda: not any(map(is_alive, [*pids, *workers_before])))
    run = the_run(database, run_id)
    assert (run.state, run.trouble_kind) == (RunState.INTERRUPTED, "worker_stopped")
    assert workers(database) == 0


def test_after_a_restart_the_line_goes_on_where_it_was(
    endless: Settings, settings: Settings, database: Database
):
    with a_site(endless) as site:
        run_id, next_id = site.start_run(), site.start_run()
        eventually(lambda: pids_of(database, run_id))
        site.kill()
    with a_site(settings) as site:
        assert ended(database, next_id).state is RunState.DONE
        page = site.browser.get(f"/runs/{run_id}").text
        assert "Interrupted" in page
        assert "Run again" in page


def test_an_embedded_worker_that_dies_is_started_again_and_an_open_page_sees_the_end(
    endless: Settings, database: Database
):
    with a_site(endless) as site:
        run_id = site.start_run()
        with site.browser.stream("GET", f"/runs/{run_id}/events") as stream:
            eventually(lambda: pids_of(database, run_id))
            (worker,) = site.workers()
            os.kill(worker, signal.SIGKILL)
            seen = stream.read().decode()
        assert "The worker stopped in the middle of this run" in seen
        assert seen.rstrip().endswith("data:") or "event: ended" in seen
        eventually(lambda: site.workers() and site.workers() != [worker])
        assert events_of(database, run_id)


def test_the_site_stops_although_a_page_is_open_and_a_run_goes_on(
    endless: Settings, database: Database
):
    with a_site(endless) as site:
        run_id = site.start_run()
        pids = eventually(lambda: pids_of(database, run_id))
        with site.browser.stream("GET", f"/runs/{run_id}/events") as stream:
            lines = stream.iter_lines()
            next(lines)
            site.popen.send_signal(signal.SIGTERM)
            assert "event: ended" not in list(lines)  # whole, but not the run's end
            assert site.popen.wait(timeout=PATIENCE_SECONDS) in (0, -signal.SIGTERM)
        eventually(lambda: not any(is_alive(pid) for pid in pids))
    assert ended(database, run_id).trouble_kind == "worker_stopped"
