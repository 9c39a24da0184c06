"""What is let in at all: our own hosts, our own pages' forms, bodies of a bearable size.

There are no CSRF tokens. A browser says itself where a request comes from
(`Sec-Fetch-Site`, else `Origin`); what says neither is no browser, and carries
nobody's cookie along unasked.
"""

from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from fastapi import Request
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from app.settings import Settings
from app.web.body import already_read, declared_bytes, too_large, whole_body
from app.web.problem import answer

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
ANY_HOST = frozenset({"/healthz", "/metrics"})  # probes ask by a container's address or name
CROSS_SITE = (
    "This came from a page of another site, so nothing was done: "
    "open it here, on Ridgepoint's own page, and send it again."
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is not let in: a status and one sentence."""

    status: int
    sentence: str


class Gate:
    """Answers what may not come in; hands on the rest once its body is here whole."""

    def __init__(self, app: ASGIApp, *, settings: Settings) -> None:
        self.app = app
        self.origin = settings.origin.rstrip("/").lower()
        self.names = our_names(settings)
        self.max_body = settings.max_body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = self.refusal(scope)
        if refusal is None and scope["method"] not in SAFE_METHODS:
            body = await whole_body(receive, self.max_body)
            if body is None:
                refusal = Refusal(413, too_large(self.max_body))
            else:
                receive = already_read(body, receive)
        if refusal is not None:
            told = answer(Request(scope), refusal.status, refusal.sentence)
            await told(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def refusal(self, scope: Scope) -> Refusal | None:
        """The first reason against this request that its address and headers give."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if scope["path"] not in ANY_HOST and not is_ours(host, self.names):
            return Refusal(421, _foreign_host(host))
        if "\0" in scope["path"]:
            return Refusal(404, "An address can't hold a NUL character: take it out.")
        if declared_bytes(headers) > self.max_body:
            return Refusal(413, too_large(self.max_body))
        if scope["method"] in SAFE_METHODS or from_our_pages(headers, self.origin):
            return None
        return Refusal(403, CROSS_SITE)


def our_names(settings: Settings) -> frozenset[str]:
    """The host names that this server answers to; addresses in figures need no name."""
    origin = urlsplit(settings.origin).hostname
    return frozenset({"localhost", settings.host.lower(), *([origin] if origin else [])})


def is_ours(host: str, names: frozenset[str]) -> bool:
    """Whether a Host header names us.

    A page elsewhere can point a name of its own at this machine and so become
    'same origin' (DNS rebinding); it can't do that with a plain IP address.
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    return name in names or _is_address(name)


def from_our_pages(headers: Headers, origin: str) -> bool:
    """Whether an unsafe request comes from a page of ours, or from no browser at all.

    `origin` is the configured one, in lower case; empty means the host that was asked.
    """
    if (site := headers.get("sec-fetch-site")) is not None:
        return site == "same-origin"
    if (sender := headers.get("origin")) is None:
        return True
    if origin:
        return sender.lower() == origin
    return _host_of(sender) == headers.get("host", "").lower()


def _foreign_host(host: str) -> str:
    shown = host.encode("ascii", "replace").decode() or "no name"
    return (
        f"This server was asked as {shown}, which is none of its names: "
        "if it should be, set RIDGEPOINT_ORIGIN to the address that people type."
    )


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _host_of(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""
