"""Whose claim it is and with which sign: said, denied, quoted, hedged, taken back.

Works on the words around a found claim, by general English only: no word of
any card stands here.
"""

import re
from enum import StrEnum

from app.domain.checking.cues import Hit
from app.domain.checking.words import BREAK, PAUSE, Text

_BEFORE = 10  # words before a claim in which a negation can govern it
_LIST = 40  # words on either side of a claim that are looked at for a mere list of terms
_AFTER = 14  # words after a claim in which it can be taken back
_FRAME = 24  # words before a claim in which its speaker can be named


class Stance(StrEnum):
    """How the answer stands to the words of a claim."""

    SAYS = "says"
    DENIES = "denies"
    UNSURE = "unsure"  # quoted without a verdict, or only supposed


NEGATORS = frozenset(
    """not no never nor neither without none nothing cannot cant dont doesnt didnt wont wouldnt isnt
    arent wasnt werent shouldnt couldnt hasnt havent hadnt neednt aint hardly barely useless
    pointless nobody zero myth wrong false mistake misconception fallacy untrue avoid refuse
    rather instead stop trap unlike unaffected""".split()  # noqa: SIM905
)
_CLAUSE_ENDS = frozenset(
    """but so because and while whereas though although since then which however plus
    also""".split()  # noqa: SIM905
)
_NOT_NEGATING = re.compile(
    r"(?:not|dont|isnt|doesnt) (?:only|just|merely|simply) "
    r"|no (?:longer|more|doubt|question|wonder|surprise) "
    r"|why (?:not|dont|wouldnt|on earth wouldnt) |cant (?:help|wait) |nothing (?:but|short) "
    r"|without (?:question|doubt|fail|changing anything|effort) |rather than "
    r"|(?:wouldnt|dont) forget |not to mention |what not "
)
_QUOTED = re.compile(
    r"(?:people|some|someone|somebody|they|folks|many|most|everyone|everybody|candidates?|juniors?"
    r"|colleagues?|blogs?|articles?|posts?|vendors?|salesm[ae]n|marketing|others|guys?|engineers?"
    r"|managers?|textbooks?|one|you) (?:\S+ ){0,4}?(?:say|says|said|saying|claim|claims|claimed"
    r"|think|thinks|thought|believe|believes|argue|argues|argued|tell|tells|told|insist|insists"
    r"|assume|assumes|hear|heard|reckon|reckons|suggest|suggests|suggested|swear) "
    r"|(?:the )?(?:myth|idea|claim|story|notion|misconception|temptation|usual line|belief|rumou?r"
    r"|mistake|wrong answer|trap) "
    r"|(?:id|i would|i) (?:be wrong to|be lying if|have said|used to|wanted to|once) "
)
_REFUSED_FRAME = re.compile(
    r"(?:i|we|you|id|ill|nobody|dont|never|wont|wouldnt|cant|not) (?:\S+ ){0,2}?(?:wouldnt|dont|"
    r"wont|cant|not|never|shouldnt|refuse to) (?:\S+ ){0,1}?(?:say|claim|promise|expect|believe|"
    r"think|tell|go|sell|quote|pretend|conclude|argue|buy|suggest|imagine|report|announce|write) "
    r"|(?:^|; |, )(?:dont|never|nobody should|you shouldnt) (?:say|claim|promise|expect|believe|"
    r"think|tell|sell|quote|pretend|conclude|assume) "
)
_TAKEN_BACK = re.compile(
    r"(?:\S+ ){0,3}?(?:[;,] )?(?:(?:no|nope|wait|hang on|scratch that|strike that|sorry|i mean no"
    r"|actually no|hold on|correction|let me correct|i take that back) (?:[;,] )?"
    r"|(?:thats|that is|which is|it is|its|this is|is|are|but thats|that) (?:\S+ )?(?:wrong|false"
    r"|incorrect|nonsense|rubbish|untrue|backwards?|a myth|bogus|not true|not right|not so|not it"
    r"|not correct|not what|the mistake|a mistake|the trap|a misconception) "
    r"|(?:that|which|this|it|they) (?:isnt|arent|wont|dont|doesnt|didnt|wouldnt|couldnt) "
    r"(?:true|right|correct|so|the case|happen|it|;|,) "
    r"|(?:they|it|that) (?:wont|dont|doesnt|isnt) ;|wrong ;)"
)
_REJECTED_LATER = re.compile(
    r"(?:\S+ ){0,12}?(?:but|wrong|false|no|not|isnt|doesnt|dont|myth|nonsense|disagree|mistaken"
    r"|however|though|yet|except|wont|untrue) "
)
_AGREED_LATER = re.compile(
    r"(?:\S+ ){0,10}?(?:agree|agreed|theyre right|they are right|hes right|shes right|convinced me"
    r"|and im with|i concur|rightly|nothing to add|bears? out|defer|so i did|ordered|on order"
    r"|and i believe|and its true|and thats true|correctly) "
)
# Claims that are only there to be thrown out: nobody crosses out what they mean.
_STRUCK_BEFORE = re.compile(
    r"(?:cross\w*|struck|strike|striking) (?:\S+ )?(?:out|through|off) "
    r"|(?:mark|marks|marked) (?:\S+ )?down |(?:anything|everything) but "
)
_STRUCK_AFTER = re.compile(
    r"(?:\S+ ){0,10}?(?:cross|crossed|struck|strike) (?:\S+ ){0,2}?(?:out|off|through) "
    r"|(?:\S+ ){0,10}?(?:mark|marked) (?:\S+ ){0,2}?down "
    r"|(?:\S+ ){0,8}?(?:take|took) (?:that|it|this) back "
    r"|(?:\S+ ){0,3}?(?:i was going to say|said (?:nobody|no 1)|my foot|in your dreams) "
    r"|(?:\S+ ){0,4}?(?:; )?(?:somebody|someone|1) (?:should|must|ought to) (?:fix|correct|change) "
)
_SUPPOSED = re.compile(r"(?:only if|unless|if only|even if|suppose|imagine|as if|if) ")
_GLUE = frozenset(("is", "are", "the", "to", "so", "not", "it", "that", "per", "of", "you", "i"))
_HEDGED = frozenset(("might", "maybe", "perhaps", "possibly", "probably", "could", "may", "guess"))


def stance(text: Text, hit: Hit) -> Stance:
    """How the answer stands to the claim found at `hit`."""
    after = _after(text, hit.last)
    if is_struck(text, hit.first, hit.last):
        return Stance.DENIES
    if _TAKEN_BACK.match(after):
        return Stance.DENIES
    denied = _negations(text, hit) % 2 == 1
    frame = _frame(text, hit.parts[-1][0])
    if _REFUSED_FRAME.search(frame):
        return Stance.DENIES
    if _QUOTED.search(frame) and not denied:
        return _quoted(after)
    if not denied and _SUPPOSED.search(_clause_before(text, hit.first)):
        return Stance.UNSURE
    return Stance.DENIES if denied else Stance.SAYS


def is_struck(text: Text, first: int, last: int) -> bool:
    """Whether the words [first, last) are crossed out, taken back or to be corrected."""
    before, after = _frame(text, first), _after(text, last)
    return bool(_STRUCK_BEFORE.search(before) or _STRUCK_AFTER.match(after))


def is_hedged(text: Text, hit: Hit) -> bool:
    """Whether the claim comes with 'might', 'maybe' or their like."""
    first = max(0, hit.first - _BEFORE // 2)
    return any(word.text in _HEDGED for word in text.words[first : hit.last])


def is_word_list(text: Text, hit: Hit) -> bool:
    """Whether the sentence only strings terms together: 'roofline, FLOPs, fusion, Amdahl'."""
    first, last = sentence_around(text, hit.first, hit.last, _LIST)
    words = [word.text for word in text.words[first:last]]
    pauses = words.count(PAUSE)
    return pauses >= 3 and 3 * pauses > len(words) - pauses and not _GLUE.intersection(words)


def sentence_around(text: Text, first: int, last: int, most: int) -> tuple[int, int]:
    """The words [first, last) and at most `most` on either side of the same sentence."""
    start, end = first, last
    while start > 0 and text.words[start - 1].text != BREAK and first - start < most:
        start -= 1
    while end < len(text.words) and text.words[end].text != BREAK and end - last < most:
        end += 1
    return start, end


def _quoted(after: str) -> Stance:
    if _AGREED_LATER.match(after):
        return Stance.SAYS
    return Stance.DENIES if _REJECTED_LATER.match(after) else Stance.UNSURE


def _negations(text: Text, hit: Hit) -> int:
    """How many negating words govern the claim: in its clause before it, and in its gaps."""
    inside = _last_clause([text.words[i].text for i in hit.gaps()])
    return _count(inside) + _count(_clause_before(text, hit.first).split())


def _last_clause(words: list[str]) -> list[str]:
    ends = [i for i, word in enumerate(words) if _ends_clause(word)]
    return words[ends[-1] + 1 :] if ends else words


def _count(words: list[str]) -> int:
    joined = _NOT_NEGATING.sub("", "".join(word + " " for word in words))
    return sum(word in NEGATORS for word in joined.split())


def _clause_before(text: Text, first: int) -> str:
    """The words of the same clause before the claim, at most `_BEFORE`."""
    start = first
    while start > max(0, first - _BEFORE) and not _ends_clause(text.words[start - 1].text):
        start -= 1
    return "".join(word.text + " " for word in text.words[start:first])


def _ends_clause(word: str) -> bool:
    return word in (BREAK, PAUSE) or word in _CLAUSE_ENDS


def _frame(text: Text, first: int) -> str:
    """The words of the same sentence before the claim, after a last 'but'."""
    start = first
    while start > max(0, first - _FRAME) and text.words[start - 1].text not in (BREAK, "but"):
        start -= 1
    return "".join(word.text + " " for word in text.words[start:first])


def _after(text: Text, last: int) -> str:
    return "".join(word.text + " " for word in text.words[last : last + _AFTER])
