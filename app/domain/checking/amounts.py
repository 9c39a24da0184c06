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
_OFTEN = re.compile(
    r"^(?!.*(?:fast|quick|speed|short|time\b)).*(?:\bonce|one go|one \w+|single \w+|together) "
    r"(?:instead of|rather than|not) (?:three|3)\b",
    re.IGNORECASE | re.DOTALL,
)
# These match words as words.py spells them, each followed by a space.
_COUNTED = re.compile(r"(?<!\S)(?:\d+(?:\.\d+)?|once|twice)")
_SHARE = re.compile(
    r"(?<!\S)(?:third|half|halv\w+|quarter|sevenths?|percent|tripl\w+|double|\w+fold|factor of"
    r"|\d\S* (?:times|point)|times \d\S*|divided by \d\S*|\d+ (?:vs|versus) \d+) "
)
_STEP = re.compile(
    r"(?<!\S)(\d+) (?:\S+ ){0,3}?(?:becomes?|turns? into|to|into) (\d+) (?!times|percent)"
)
_MULTIPLIED = re.compile(r"(?<!\S)(?:times|fold) (?:more|as (?:many|much)|the (?:traffic|bytes)) ")
_NAMED = {"two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "ten": 10.0}


def belies(claim: str, words: str) -> bool:
    """Whether the words are of another thing than the claim's factor.

    Times that come nearer to no gain at all are, and 'once instead of three times'.
    """
    factor, found = _FACTOR.search(claim), gains(words)
    if factor is None or not found:
        return factor is not None and _OFTEN.search(words) is not None
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


def is_count(words: str) -> bool:
    """Whether words set two numbers against each other, or name a share or a factor."""
    return len(set(_COUNTED.findall(words))) > 1 or _SHARE.search(words) is not None


def grows(words: str) -> bool:
    """Whether what is counted in the words becomes more."""
    steps = [(float(before), float(after)) for before, after in _STEP.findall(words)]
    rises = bool(steps) and all(before < after for before, after in steps)
    return rises or _MULTIPLIED.search(words) is not None
