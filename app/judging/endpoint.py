"""One request to a server that speaks the chat-completions protocol, bounded in every way."""

import json
import ssl
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any
from urllib.parse import urlsplit

import httpx2

from app.judging.trouble import JudgeTrouble, NotTaken
from app.settings import Settings

CONNECTIONS = 4  # requests under way at a time, for one answer
MOST_BYTES = 65_536  # of one reply: a verdict and a quotation need a few hundred

Message = dict[str, str]


@dataclass(frozen=True)
class Endpoint:
    """Where the judge is: `url` up to and including `/v1`, and the seconds for a whole answer."""

    url: str
    model: str
    key: str = field(repr=False)
    seconds: float

    @cached_property
    def place(self) -> str:
        """The server's name as a learner may see it: no path, no credentials."""
        return urlsplit(self.url).netloc.rpartition("@")[2]


def endpoint_of(settings: Settings) -> Endpoint | None:
    """The judge of these settings; None where none is set."""
    if not settings.judge_url:
        return None
    return Endpoint(
        settings.judge_url.rstrip("/"),
        settings.judge_model,
        settings.judge_key.get_secret_value(),
        settings.judge_deadline.total_seconds(),
    )


def open_client(endpoint: Endpoint) -> httpx2.AsyncClient:
    """A client that follows no redirect and takes nothing from the environment."""
    headers = {"Accept-Encoding": "identity"}  # what is compressed has no bounded size
    if endpoint.key:
        headers["Authorization"] = f"Bearer {endpoint.key}"
    secure = endpoint.url.startswith("https:")
    return httpx2.AsyncClient(
        headers=headers,
        verify=_certificates() if secure else False,
        timeout=endpoint.seconds,
        limits=httpx2.Limits(max_connections=CONNECTIONS),
        follow_redirects=False,
        trust_env=False,  # no proxy, no .netrc: the key goes to this server alone
    )


async def complete(
    client: httpx2.AsyncClient,
    endpoint: Endpoint,
    messages: Sequence[Message],
    form: Mapping[str, Any],
) -> str:
    """What the model replies; JudgeTrouble says what went wrong instead."""
    body = {"model": endpoint.model, "messages": list(messages), "stream": False, **form}
    address = f"{endpoint.url}/chat/completions"
    try:
        async with client.stream("POST", address, json=body) as answer:
            _must_be_fine(answer)
            return _content(await _bounded(answer))
    except httpx2.TimeoutException:
        raise JudgeTrouble("did not answer in time") from None
    except httpx2.HTTPError:
        raise JudgeTrouble("could not be reached or broke off") from None


def _must_be_fine(answer: httpx2.Response) -> None:
    if answer.status_code in (400, 422):
        raise NotTaken(f"refused the request (status {answer.status_code})")
    if answer.is_redirect:
        raise JudgeTrouble("pointed to another address, which is never followed")
    if answer.status_code != 200:
        raise JudgeTrouble(f"answered with status {answer.status_code}")
    if answer.headers.get("Content-Encoding", "identity") != "identity":
        raise JudgeTrouble("sent a compressed reply, which was not asked for")


async def _bounded(answer: httpx2.Response) -> bytes:
    """The body, read no further than it may be long."""
    body = bytearray()
    async for chunk in answer.aiter_raw():
        body += chunk
        if len(body) > MOST_BYTES:
            raise JudgeTrouble(f"sent more than {MOST_BYTES:,} bytes")
    return bytes(body)


def _content(body: bytes) -> str:
    try:
        content = json.loads(body)["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError, RecursionError):
        content = None
    if not isinstance(content, str):
        raise JudgeTrouble("sent something that is no chat completion")
    return content


@cache
def _certificates() -> ssl.SSLContext:
    return ssl.create_default_context()  # once: it reads hundreds of certificates
