"""What makes a secret one that can be guessed: too short, a well-known word, a pattern."""

import re
from itertools import pairwise

SHORTEST_SECRET = 32
"""Characters, as long as the key of an HMAC ought to be (RFC 7518, 3.2: 256 bits)."""
FEWEST_DIFFERENT = 5
"""Characters of a secret that differ; Django asks for as many."""
LEAST_UNLIKE = 2 / 3
"""Share of a secret's threefold steps that no other equals: of 20,000 that `openssl rand -hex 16`
could print none is below 0.89, and "password1password2…" is at 0.55."""

_WELL_KNOWN = re.compile(
    r"p[a@4][s5$]{2}(?:w[o0]?r?d|phrase)|change[-_ ]?(?:me|this|it)|replace[-_ ]?(?:me|this|it)"
    r"|s[e3]cr[e3]t|let[-_ ]?me[-_ ]?in|default|example|insecure|ridgepoint"
    r"|qwertyuiop|qwerty|asdfghjkl|zxcvbnm",
    re.IGNORECASE,
)


def of_secret(secret: str) -> str | None:
    """Whoever guesses it can sign any learner's cookie; none at all means that one is made."""
    if not secret or not _is_guessable(secret):
        return None
    return (
        f"can be guessed: set {SHORTEST_SECRET} or more random characters, as "
        "`openssl rand -hex 32` prints them (with a new secret everyone begins as a new learner)"
    )


def _is_guessable(secret: str) -> bool:
    """Well-known words add nothing to it: the rest alone has to be long enough."""
    rest = _WELL_KNOWN.sub("", secret.strip())
    few = len(rest) < SHORTEST_SECRET or len(set(rest)) < FEWEST_DIFFERENT
    return few or _share_unlike(rest) < LEAST_UNLIKE


def _share_unlike(text: str) -> float:
    """How many of all three steps in a row, from character to character, differ from each other.

    A text said again and a run such as `abcdef` or `0000` take the same steps again and again.
    """
    steps = [ord(after) - ord(before) for before, after in pairwise(text)]
    threes = list(zip(steps, steps[1:], steps[2:], strict=False))
    return len(set(threes)) / len(threes)
