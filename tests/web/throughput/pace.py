"""Latency at a steady rate: requests leave at fixed times, whether or not others came back.

wrk sends a connection's next request when the last is answered: a server that
stalls is then asked less, and its stalls hardly show. Here the n-th request is
due at n/rate, and its latency counts from when it was due, also where it left
late because every connection was waiting.
"""

import select
import socket
from collections import deque
from dataclasses import dataclass, field
from statistics import median, quantiles
from time import perf_counter

from tests.web.throughput.sides import Side

CONNECTIONS = 64
PATIENCE_SECONDS = 30
LEAD_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Pace:
    """Latencies at a rate, in milliseconds; `late` is how late the client sent by its own fault."""

    rate: float
    sent: int
    answered: float  # a second, from the first due to the last answer
    median_ms: float
    p99_ms: float
    late_p99_ms: float

    @property
    def spread(self) -> float:
        """p99 over median."""
        return self.p99_ms / self.median_ms


@dataclass(slots=True, eq=False)
class Line:
    """A kept-alive connection: since when its answer is due, and what came of it."""

    socket: socket.socket
    due: float = 0.0
    got: bytearray = field(default_factory=bytearray)

    def fileno(self) -> int:
        """What `select` watches."""
        return self.socket.fileno()

    def ask(self, request: bytes, due: float) -> None:
        """Send `request`, which was due at `due`."""
        self.due = due
        self.got.clear()
        self.socket.sendall(request)

    def answered(self) -> bool:
        """Read what is there; whether that makes the answer whole. OSError if it is not a 200."""
        self.got += self.socket.recv(1 << 16)
        end = self.got.find(b"\r\n\r\n")
        if end < 0:
            return False
        head = bytes(self.got[:end]).lower()
        if not head.startswith(b"http/1.1 200"):
            raise OSError(f"answered {head[:40]!r} instead of 200")
        length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
        return len(self.got) == end + 4 + length


def paced(side: Side, rate: float, seconds: float) -> Pace:
    """Ask `side` evenly, `rate` times a second; OSError where an answer is not 200."""
    lines = [Line(socket.create_connection(("127.0.0.1", side.port))) for _ in range(CONNECTIONS)]
    begun = perf_counter()
    try:
        latencies, late = _ask_all(lines, _request(side), rate, int(rate * seconds))
    finally:
        took = perf_counter() - begun - LEAD_SECONDS
        for line in lines:
            line.socket.close()
    p99, late_p99 = quantiles(latencies, n=100)[-1], quantiles(late, n=100)[-1]
    sent = len(latencies)
    return Pace(rate, sent, sent / took, 1e3 * median(latencies), 1e3 * p99, 1e3 * late_p99)


def _ask_all(
    lines: list[Line], request: bytes, rate: float, count: int
) -> tuple[list[float], list[float]]:
    """Seconds from each request's due time to its answer, and how late each left by our fault.

    While no connection was free it is the server that was waited for.
    """
    free, busy = deque(lines), set[Line]()
    latencies, late = list[float](), list[float]()
    start = freed = perf_counter() + LEAD_SECONDS
    for number in range(count):
        due = start + number / rate
        while (left := due - perf_counter()) > 0 or not free:
            stuck = not free
            _collect(busy, free, latencies, PATIENCE_SECONDS if stuck else max(left, 0))
            if stuck:
                freed = perf_counter()
        late.append(perf_counter() - max(due, freed))
        line = free.popleft()
        line.ask(request, due)
        busy.add(line)
    while busy:
        _collect(busy, free, latencies, PATIENCE_SECONDS)
    return latencies, late


def _collect(busy: set[Line], free: deque[Line], latencies: list[float], wait: float) -> None:
    """Take the answers that come within `wait` seconds; back at the first that does."""
    ready, _, _ = select.select(busy, [], [], wait)
    if not ready and wait == PATIENCE_SECONDS:
        raise OSError(f"no answer within {PATIENCE_SECONDS} s")
    for line in ready:
        if line.answered():
            latencies.append(perf_counter() - line.due)
            busy.remove(line)
            free.append(line)


def _request(side: Side) -> bytes:
    own = "".join(f"{name}: {value}\r\n" for name, value in side.headers.items())
    return f"GET {side.path} HTTP/1.1\r\nHost: 127.0.0.1:{side.port}\r\n{own}\r\n".encode()
