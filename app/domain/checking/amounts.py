"""What numbers say of a gain: whoever writes '0.42 s → 0.37 s' claims no threefold one.

Neither network is good at dividing, so it is done here: where a claim names a
factor, two times set against each other have to come near it.
"""

import re

_UNIT = r"(?:[mµun]?s|msec|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?|months?)\b"
_NUMBER = r"\d+(?:[.,]\d+)?"
_CHANGE = re.compile(
    rf"(?<![\w.,])({_NUMBER})\s*({_UNIT})?\s*"
    r"(?:→|⇒|->|=>|-->|to|vs\.?|versus|against|instead of|down to|becomes?|became|now|is now|/)\s*"
    rf"(?:about|around|roughly|only|just|some|maybe|~|≈)?\s*({_NUMBER})\s*({_UNIT})",
    re.IGNORECASE,
)
_FACTOR = re.compile(r"\b(two|three|four|five|ten|\d+)\s*(?:times|-?fold|[x×])", re.IGNORECASE)
_NAMED = {"two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "ten": 10.0}


def belies(claim: str, words: str) -> bool:
    """Whether times in the words come nearer to no gain at all than to the claim's factor."""
    factor, found = _FACTOR.search(claim), gains(words)
    if factor is None or not found:
        return False
    named = factor[1].lower()
    return max(found) < (_NAMED.get(named) or float(named)) ** 0.5


def gains(words: str) -> list[float]:
    """How many times shorter one of two times in the same unit is than the other, for each pair."""
    return [
        gain
        for before, unit, after, other in _CHANGE.findall(words)
        if (not unit or unit.lower() == other.lower()) and (gain := _gain(before, after))
    ]


def _gain(before: str, after: str) -> float:
    first, second = (float(number.replace(",", ".")) for number in (before, after))
    return max(first, second) / min(first, second) if min(first, second) else 0.0
