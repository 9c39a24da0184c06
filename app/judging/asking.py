"""Putting all questions on one answer to the judge, a few at a time, within one deadline."""

from collections.abc import Mapping, Sequence
from typing import Any

import anyio
import httpx2

from app.domain.marking import Span
from app.judging import controls
from app.judging.endpoint import CONNECTIONS, Endpoint, complete, open_client
from app.judging.questions import Question, messages, reply_format
from app.judging.reply import view_in
from app.judging.trouble import JudgeTrouble, NotTaken


async def replies_to(endpoint: Endpoint, asked: Sequence[Question]) -> Mapping[str, str]:
    """What the judge replies, by the question's id; all of it or JudgeTrouble.

    The questions must share their text. The replies have not been looked at,
    but the judge has passed two questions whose answers are known.
    """
    try:
        with anyio.fail_after(endpoint.seconds):
            async with open_client(endpoint) as client:
                return await _all(client, endpoint, asked)
    except TimeoutError:
        raise JudgeTrouble("did not answer in time") from None


async def _all(
    client: httpx2.AsyncClient, endpoint: Endpoint, asked: Sequence[Question]
) -> Mapping[str, str]:
    absent, present = controls.absent(asked[0].text), controls.present(asked[0].text)
    plainness, first = await _plainest_needed(client, endpoint, absent)
    replies = await _together(client, endpoint, [present, *asked], plainness)
    said_absent = view_in(first, absent.id, absent.text)
    only_added = (Span(0, len(absent.text), "not added"),)
    said_present = view_in(replies.pop(present.id), present.id, present.text, only_added)
    if not controls.holds(said_absent, said_present):
        raise JudgeTrouble("did not keep to its task on this answer")
    return replies


async def _plainest_needed(
    client: httpx2.AsyncClient, endpoint: Endpoint, question: Question
) -> tuple[int, str]:
    """The richest form of request that the server takes, and its reply to the first one."""
    for plainness in range(len(_forms(question)) - 1):
        try:
            return plainness, await _ask(client, endpoint, question, plainness)
        except NotTaken:
            continue
    plainest = len(_forms(question)) - 1
    return plainest, await _ask(client, endpoint, question, plainest)


async def _together(
    client: httpx2.AsyncClient, endpoint: Endpoint, asked: Sequence[Question], plainness: int
) -> dict[str, str]:
    """All replies; the first trouble stops the rest."""
    replies: dict[str, str] = {}
    troubles: list[JudgeTrouble] = []
    turns = anyio.CapacityLimiter(CONNECTIONS)

    async def ask(question: Question) -> None:
        async with turns:
            try:
                replies[question.id] = await _ask(client, endpoint, question, plainness)
            except JudgeTrouble as trouble:
                troubles.append(trouble)
                group.cancel_scope.cancel()

    async with anyio.create_task_group() as group:
        for question in asked:
            group.start_soon(ask, question)
    if troubles:
        raise troubles[0]
    return replies


async def _ask(
    client: httpx2.AsyncClient, endpoint: Endpoint, question: Question, plainness: int
) -> str:
    return await complete(client, endpoint, messages(question), _forms(question)[plainness])


def _forms(question: Question) -> tuple[Mapping[str, Any], ...]:
    """What to ask for beside the words, the richest first: not every server takes all of it."""
    steady = {"temperature": 0, "seed": 0}
    return ({**steady, "response_format": reply_format(question)}, steady, {})
