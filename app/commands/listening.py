"""What the server listens on: a socket, and as many connections as the system lets it hold."""

import errno
import resource
import socket
from contextlib import suppress

from app.trouble import Trouble

MOST_FILES = 65_536


def allow_many_files() -> None:
    """Take all the open files that the system grants: each event stream holds one for long.

    Where they run out, asyncio tries 2048 times a second to accept, and logs each.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):  # some systems allow less than they say
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; Trouble where there can be none, as on a port that is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio turns Nagle's algorithm off only where a socket names its protocol; with it
    # on, an answer's second packet waits up to 40 ms for the browser's acknowledgement.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(2048)  # from here on who follows the printed address waits, not fails
    except OSError as fault:
        listener.close()
        if fault.errno == errno.EADDRINUSE:
            raise Trouble(
                f"port {port} is taken: stop what uses it, or choose another with "
                f"`make serve PORT={port + 1}`."
            ) from fault
        raise Trouble(f"can't listen on {host}:{port}: {fault.strerror}.") from fault
    return listener
