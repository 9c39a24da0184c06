"""How much of a long answer is read: whole sentences from the start, as many as fit.

A check has two seconds, and the machine may be busy with others. What fits takes 0.4 s of
one core, and three and a half minutes to say, where the longest tier asks for three.
"""

import re
from itertools import islice

READ = 3_000  # characters, at most
_MARKS = 900  # words and other marks, at most: each costs, and prose has fewer
_MARK = re.compile(r"\w+|[^\w\s]")
SENTENCE_END = re.compile(r"[.!?;…]['\"”’)]*(?=\s)|\n")
_WORD_END = re.compile(r"\s")


def read_part(answer: str) -> str:
    """The answer up to the last sentence that fits; up to a word where no sentence ends."""
    start = answer[: _fitting(answer)]
    return answer if len(start) == len(answer) else start[: _last_end(start)]


def unread(answer: str) -> int:
    """How many characters at the answer's end, blanks aside, `check` does not read."""
    return len(answer[len(read_part(answer)) :].strip())


def _fitting(answer: str) -> int:
    """How many characters fit, be the last sentence whole or not."""
    beyond = next(islice(_MARK.finditer(answer), _MARKS, None), None)
    return min(READ, len(answer), beyond.start() if beyond else READ)


def _last_end(start: str) -> int:
    """Where the last sentence ends, or the last word, if that leaves at least half."""
    for end in (SENTENCE_END, _WORD_END):
        ends = [match.end() for match in end.finditer(start)]
        if ends and 2 * ends[-1] >= len(start):
            return ends[-1]
    return len(start)
