"""On which side words stand where English, or talk of performance, has two: more or fewer.

No word of any card stands here, as in frames.py: which side a claim is on, its own
sentences show. Patterns are matched against words as words.py spells them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from app.domain.checking import frames

Sides = dict[str, frozenset[str]]  # an axis -> the sides that words take on it

_REACH = 6  # words before a side's words in which a negation can govern them
_OTHERS = {"instead", "rather", "avoid", "stop", "unlike", "useless", "wrong"}  # no 'not' here
_NEGATORS = frames.NEGATORS - _OTHERS | {"impossible", "unable"}
_STARTS = frames.CLAUSE_ENDS | {"you", "we", "it", "they", "i", "that", "there", "which", "what"}
_RESOURCE = "memory|bandwidth|traffic|bytes|io|dram"
_UNITS = "compute|arithmetic|maths|flops|alus?|units"


@dataclass(frozen=True, slots=True)
class Side:
    """One side of an axis: its name, what its denial says, its words."""

    name: str
    denied: str
    words: re.Pattern[str]


def _side(name: str, denied: str, words: str) -> Side:
    return Side(name, denied, re.compile(rf"(?<!\S)(?:{words}) "))


AXES = {
    "amount": (
        _side("less", "not less",
              r"no (?:longer|more|extra|additional)|less|fewer|gone|go(?:es|ing)? (?:away|down)"
              r"|went (?:away|down)|disappear\w*|vanish\w*|drop\w*|falls?|fell|sav\w+|spar\w+"
              r"|avoid\w*|eliminat\w*|remov\w*|reduc(?!tion)\w*|cuts?|skip\w*|shr[aiu]nk\w*|smaller"
              r"|lower\w*|decreas\w*|rid|once|halv\w*|stop\w*|instead|merg\w*|single"),
        _side("more", "less",
              r"(?<!and )(?<!the )adds|adding|additional|extra|(?<!any )more|increas\w*|rises?"
              r"|grows?|higher|doubl\w*|go(?:es|ing)? up|went up|up [\d.]+"),
        _side("persists", "changed",
              r"still|unchanged|(?:no|dont|doesnt|not|never|wont) chang\w*|keeps? \S+ing"
              r"|whether|either way"
              r"|even (?:when|if|after|in)|or(?= not )"
              r"|(?:is|are|stays?|remains?|keeps?) (?:the )?same"
              r"|(?:stays?|remains?)(?= (?:[;,]|as|where|there|$))"),
        _side("same", "changed", r"same|identical|constant|untouched|as (?:many|much)"),
    ),
    "place": (
        _side("stays", "leaves",
              r"stay\w*|kept|keep\w*|live\w*|held|hold\w*|remain\w*|sits?|sitting|fits?|uses?|using"),
        _side("leaves", "stays",
              r"leaves|leaving|leave (?:the )?(?:chip|register|sm|sram)|spill\w*|evict\w*"
              r"|go(?:es|ing)? out of"),
    ),
    "bound": (
        _side("bytes", "maths",
              rf"(?:{_RESOURCE}) (?:bound|limited|starved)"
              rf"|limited by (?:\S+ ){{0,2}}?(?:{_RESOURCE})"
              rf"|(?:{_RESOURCE}) (?:\S+ ){{0,3}}?(?:bottleneck|limit\w*|dominates)"
              r"|left (?:\S+ ){0,2}?(?:ridge|roofline|knee)|low|few|tiny|little|small|below|under"),
        _side("maths", "bytes",
              rf"(?:{_UNITS}) (?:bound|limited)|limited by (?:\S+ ){{0,2}}?(?:{_UNITS})"
              rf"|(?:{_UNITS}) (?:\S+ ){{0,2}}?(?:bottleneck|limits?|dominates|takes the time)"
              r"|(?:right|past|beyond) (?:\S+ ){0,3}?(?:ridge|roofline|knee)|above|lots"
              r"|high (?:\S+ )?intensity"),
    ),
    "limit": (
        _side("limited", "unlimited",
              r"cap|capped|caps|limit\w*|ceiling|at most|depends?|appl(?:y|ies)"),
        _side("unlimited", "limited",
              r"whatever its|regardless|irrelevant|unlimited|far more|independent\w*"
              r"|(?:not|dont|doesnt|wont) (?:really )?matter"),
    ),
    "need": (
        _side("needed", "not needed",
              r"must|needs?|needed|has to|have to|waits?|waiting|requir\w*|barrier\w*|sync\w*"),
        _side("not needed", "needed", r"unnecessary|needless|saves?|skips?|spares?"
              r"|before (?:\S+ ){0,7}?(?:known|ready|done|finished|complete)"),
    ),
}  # fmt: skip


@lru_cache(maxsize=2048)
def sides(words: str) -> Sides:
    """Which sides words, spelled and spaced as by `words.read`, take on each axis."""
    return {name: frozenset(_taken(axis, words)) for name, axis in AXES.items()}


def _taken(axis: tuple[Side, ...], words: str) -> Iterator[str]:
    """The sides taken; 'more, not fewer' is one, said twice."""
    taken = [
        side.denied if _is_denied(words, start, end) else side.name
        for start, end, side in _places(axis, words)
    ]
    yield from (side for side in taken if side != "not less" or "more" not in taken)


def _places(axis: tuple[Side, ...], words: str) -> Iterator[tuple[int, int, Side]]:
    """Where words of the sides stand, of those that overlap the first and longest."""
    found = [(*match.span(), side) for side in axis for match in side.words.finditer(words)]
    at = 0
    for start, end, side in sorted(found, key=lambda place: (place[0], -place[1])):
        if start >= at:
            at = end
            yield start, end, side


def _is_denied(words: str, start: int, end: int) -> bool:
    """Whether an odd number of negations governs [start, end): before it, in it, or just after."""
    before = words[:start].split()
    near = [i for i, word in enumerate(before) if word in _STARTS or word in ",;"]
    governing = before[max([0, len(before) - _REACH, *(i + 1 for i in near)]) :]
    after = words[end:].split()[:2]
    after = after if after[:1] in (["no"], ["nothing"], ["none"]) else []
    return _count([*governing, *words[start:end].split()[1:], *after]) % 2 == 1


def _count(words: list[str]) -> int:
    joined = frames.NOT_NEGATING.sub("", "".join(word + " " for word in words))
    return sum(word in _NEGATORS for word in joined.split())
