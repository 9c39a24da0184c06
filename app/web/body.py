"""Bodies of requests: read whole before anything is done with them, and never too large."""

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive


def declared_bytes(headers: Headers) -> int:
    """What Content-Length says; 0 where it says nothing."""
    digits = headers.get("content-length", "0")[:18]  # the server has checked that it is a number
    return int(digits) if digits.isascii() and digits.isdecimal() else 0


async def whole_body(receive: Receive, max_bytes: int) -> bytes | None:
    """The body, or None once it is larger than `max_bytes`: a chunked one declares no length.

    Read before anything else, so that a slow sender keeps no place among those at work.
    Raises ClientDisconnect when the sender goes away in the middle.
    """
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        body += message.get("body", b"")
        if len(body) > max_bytes:
            return None
        if not message.get("more_body", False):
            return bytes(body)


def already_read(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body that was read, then whatever comes after it."""
    left = [body]

    async def replayed() -> Message:
        if left:
            return {"type": "http.request", "body": left.pop(), "more_body": False}
        return await receive()

    return replayed


def too_large(max_bytes: int) -> str:
    """The sentence for a body that is too large."""
    return f"That is more than the {max_bytes:,} bytes taken at once: shorten it and send it again."
