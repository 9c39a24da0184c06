"""Reading the judge's reply: a known id, a known verdict, and words that the answer really has."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from app.domain.marking import Span
from app.judging.addressed import overlaps

MOST_CHARACTERS = 8_000  # of a reply that may reason aloud before its verdict
LONGEST_QUOTE = 400
_THOUGHT = re.compile(r"\A.*</think>", re.DOTALL)
_WORD = re.compile(r"\w+")


class Verdict(StrEnum):
    """How the answer stands to the claim, as the judge sees it."""

    ASSERTS = "asserts"
    REJECTS = "rejects"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class View:
    """A verdict, and the answer's characters from `start` to `end` that show it."""

    verdict: Verdict
    start: int | None = None
    end: int | None = None


def view_in(reply: str, question_id: str, answer: str, hidden: Sequence[Span] = ()) -> View | None:
    """The view that the reply gives; None where it can't be accepted.

    It must hold one JSON object with the id that was asked for and a known
    verdict. A verdict other than `neither` must quote the answer verbatim,
    except for the width of its spaces, outside the `hidden` spans, which the
    judge was not shown.
    """
    objects = {json.dumps(o, sort_keys=True): o for o in _objects(reply) if "verdict" in o}
    if len(objects) != 1:
        return None
    (said,) = objects.values()
    verdict, quote = said.get("verdict"), said.get("quote", "")
    known = isinstance(verdict, str) and verdict in set(Verdict)
    if said.get("id") != question_id or not known or not isinstance(quote, str):
        return None
    if verdict == Verdict.NEITHER:
        return View(Verdict.NEITHER)
    place = _place(quote, answer, hidden)
    return View(Verdict(verdict), *place) if place else None


def _objects(reply: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in the reply that are in no other, after what was thought aloud."""
    text = _THOUGHT.sub("", reply[:MOST_CHARACTERS])
    decoder = json.JSONDecoder()
    at = text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield value
        at = text.find("{", end)


def _place(quote: str, answer: str, hidden: Sequence[Span]) -> tuple[int, int] | None:
    words = quote.split()
    if len(quote) > LONGEST_QUOTE or len(_WORD.findall(quote)) < 2:
        return None  # one word shows no claim, and half the answer shows any
    verbatim = re.compile(r"\s+".join(re.escape(word) for word in words))
    for found in verbatim.finditer(answer):
        if not overlaps(hidden, *found.span()):
            return found.span()
    return None
