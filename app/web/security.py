"""What every answer carries: a content security policy with its own nonce, and fixed headers.

Pure ASGI and outermost, so that error pages carry it too.
"""

import secrets

from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; "
    "script-src 'nonce-{nonce}'; "
    "style-src 'self' 'nonce-{nonce}'; "
    "img-src 'self'; "
    "connect-src 'self'; "
    "form-action 'self'; "
    "base-uri 'none'; "
    "frame-ancestors 'none'"
)
FIXED = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(self)",
}
HTTPS_ONLY = {"Strict-Transport-Security": "max-age=31536000"}
PRIVATE = (b"cache-control", b"private, no-cache")  # pages show what one learner did


class SafeAnswers:
    """Gives each request a nonce (`request.state.csp_nonce`) and each answer its headers."""

    def __init__(self, app: ASGIApp, *, https_only: bool) -> None:
        self.app = app
        fixed = FIXED | (HTTPS_ONLY if https_only else {})
        self.fixed = [(name.lower().encode(), value.encode()) for name, value in fixed.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        nonce = secrets.token_urlsafe(16)
        scope.setdefault("state", {})["csp_nonce"] = nonce
        policy = (b"content-security-policy", POLICY.format(nonce=nonce).encode())

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = message.get("headers", ())
                cached = any(name == PRIVATE[0] for name, _ in given)
                own = () if cached else (PRIVATE,)
                message["headers"] = [*given, *own, policy, *self.fixed]
            await send(message)

        await self.app(scope, receive, send_safely)
