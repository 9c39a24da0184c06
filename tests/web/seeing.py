"""What the tests of seeing a result share: a guess at the recorded run, and what is said of it."""

from starlette.testclient import TestClient

from tests.web.lab_runs import started
from tests.web.reading import plain

RUN = "/runs/test-device-width-recorded"
LATE = "made after you saw a result"


def guess_it(client: TestClient, low: str = "1.8") -> None:
    """Say what one expects of the recorded run."""
    started(client, "width", where="recorded", low=low)


def guesses(client: TestClient) -> str:
    """The page of one's guesses, as text."""
    return plain(client.get("/calibration").text)
