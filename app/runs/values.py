"""The values in a benchmark's lines: numbers that are some, texts that show what they say.

Lines come from files of others too. A text with marks that turn the words after it around, or
with letters that nobody sees, can make a page read as another device's, or another's result.
"""

import re
from collections.abc import Iterator
from typing import Any, cast

DEEPEST = 20
"""Many more lists within lists than any line has, and few enough for whatever walks through one."""

LARGEST = 1e300
"""More than any count or rate can be, and small enough to reckon with."""

LONGEST_TEXT = 1000
"""Characters; four times the longest sentence that a benchmark of ours prints."""

LONGEST_NAME = 200
"""Characters of a device's, a variant's or a fact's name."""

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_UNSEEN = re.compile(
    "[\0-\x1f\x7f-\x9f\u2028\u2029"  # controls and ends of lines; all else is Unicode's
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"  # Default_Ignorable_Code_Point
)


Event = dict[str, Any]


class BadLine(ValueError):
    """A line that is no event of the protocol; the text says why."""


def see_that_it_can_be_kept(value: Any, depth: int = 0) -> None:
    """BadLine for numbers that are none, characters that no database holds, and deep nests."""
    if depth > DEEPEST:
        raise BadLine("it is nested too deep")
    if isinstance(value, int | float) and not abs(value) <= LARGEST:
        raise BadLine("it holds a number too large to be one")
    if isinstance(value, str) and _UNSTORABLE.search(value):
        raise BadLine("it holds a character that can't be stored")
    for part in _parts(value):
        see_that_it_can_be_kept(part, depth + 1)


def see_that_it_can_be_shown(value: Any) -> None:
    """BadLine for a text that does not show what it says, or is far too long for one."""
    if isinstance(value, str):
        if found := _UNSEEN.search(value):
            raise BadLine(f"it holds a character that can't be seen, U+{ord(found[0]):04X}")
        if len(value) > LONGEST_TEXT:
            raise BadLine(f"it holds a text of more than {LONGEST_TEXT:,} characters")
    if isinstance(value, dict) and not all(map(is_name, cast(dict[Any, Any], value))):
        raise BadLine(f"it holds a name of more than {LONGEST_NAME} characters")
    for part in _parts(value):
        see_that_it_can_be_shown(part)


def is_name(value: Any) -> bool:
    """Whether it is a text, and no longer than a name is."""
    return isinstance(value, str) and len(value) <= LONGEST_NAME


def is_number(value: Any) -> bool:
    """Whether it is a number, which true and false are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _parts(value: Any) -> Iterator[Any]:
    """The keys and values of an object, the items of a list, nothing of all else."""
    if isinstance(value, dict):
        for pair in cast(dict[str, Any], value).items():
            yield from pair
    elif isinstance(value, list):
        yield from cast(list[Any], value)
