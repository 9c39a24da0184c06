"""The words by which English denies, quotes, supposes, hedges and takes back.

General English only: no word of any card stands here. Patterns are matched
against words as words.py spells them, each followed by a space; stance.py says where.
"""

import re

NEGATORS = frozenset(
    """not no never nor neither without none nothing cannot cant dont doesnt didnt wont wouldnt isnt
    arent wasnt werent shouldnt couldnt hasnt havent hadnt neednt aint hardly barely useless
    pointless nobody zero myth wrong false mistake misconception fallacy untrue avoid refuse
    rather instead stop trap unlike unaffected""".split()  # noqa: SIM905
)
CLAUSE_ENDS = frozenset(
    """but so because and while whereas though although since then which however plus
    also""".split()  # noqa: SIM905
)
NOT_NEGATING = re.compile(
    r"(?:not|dont|isnt|doesnt) (?:only|just|merely|simply) "
    r"|no (?:longer|more|doubt|question|wonder|surprise) "
    r"|why (?:not|dont|wouldnt|on earth wouldnt) |cant (?:help|wait) |nothing (?:but|short) "
    r"|without (?:question|doubt|fail|changing anything|effort) |rather than "
    r"|(?:wouldnt|dont) forget |not to mention |what not "
)
QUOTED = re.compile(
    r"(?:people|some|someone|somebody|they|folks|many|most|everyone|everybody|candidates?|juniors?"
    r"|colleagues?|blogs?|articles?|posts?|vendors?|salesm[ae]n|marketing|others|guys?|engineers?"
    r"|managers?|textbooks?|one|you) (?:\S+ ){0,4}?(?:say|says|said|saying|claim|claims|claimed"
    r"|think|thinks|thought|believe|believes|argue|argues|argued|tell|tells|told|insist|insists"
    r"|assume|assumes|hear|heard|reckon|reckons|suggest|suggests|suggested|swear) "
    r"|(?:the )?(?:myth|idea|claim|story|notion|misconception|temptation|usual line|belief|rumou?r"
    r"|mistake|wrong answer|trap) "
    r"|(?:id|i would|i) (?:be wrong to|be lying if|have said|used to|wanted to|once) "
)
REFUSED_FRAME = re.compile(
    r"(?:i|we|you|id|ill|nobody|dont|never|wont|wouldnt|cant|not) (?:\S+ ){0,2}?(?:wouldnt|dont|"
    r"wont|cant|not|never|shouldnt|refuse to) (?:\S+ ){0,1}?(?:say|claim|promise|expect|believe|"
    r"think|tell|go|sell|quote|pretend|conclude|argue|buy|suggest|imagine|report|announce|write) "
    r"|(?:^|; |, )(?:dont|never|nobody should|you shouldnt) (?:say|claim|promise|expect|believe|"
    r"think|tell|sell|quote|pretend|conclude|assume) "
)
TAKEN_BACK = re.compile(
    r"(?:\S+ ){0,3}?(?:[;,] )?(?:(?:no|nope|wait|hang on|scratch that|strike that|sorry|i mean no"
    r"|actually no|hold on|correction|let me correct|i take that back) (?:[;,] )?"
    r"|(?:thats|that is|which is|it is|its|this is|is|are|but thats|that) (?:\S+ )?(?:wrong|false"
    r"|incorrect|nonsense|rubbish|untrue|backwards?|a myth|bogus|not true|not right|not so|not it"
    r"|not correct|not what|the mistake|a mistake|the trap|a misconception) "
    r"|(?:that|which|this|it|they) (?:isnt|arent|wont|dont|doesnt|didnt|wouldnt|couldnt) "
    r"(?:true|right|correct|so|the case|happen|it|;|,) "
    r"|(?:they|it|that) (?:wont|dont|doesnt|isnt) ;|wrong ;)"
)
REJECTED_LATER = re.compile(
    r"(?:\S+ ){0,12}?(?:but|wrong|false|no|not|isnt|doesnt|dont|myth|nonsense|disagree|mistaken"
    r"|however|though|yet|except|wont|untrue) "
)
AGREED_LATER = re.compile(
    r"(?:\S+ ){0,10}?(?:agree|agreed|theyre right|they are right|hes right|shes right|convinced me"
    r"|and im with|i concur|rightly|nothing to add|bears? out|defer|so i did|ordered|on order"
    r"|and i believe|and its true|and thats true|correctly) "
)
# Claims that are only there to be thrown out: nobody crosses out what they mean.
STRUCK_BEFORE = re.compile(
    r"(?:cross\w*|struck|strike|striking) (?:\S+ )?(?:out|through|off) "
    r"|(?:mark|marks|marked) (?:\S+ )?down |(?:anything|everything) but "
)
STRUCK_AFTER = re.compile(
    r"(?:\S+ ){0,10}?(?:cross|crossed|struck|strike) (?:\S+ ){0,2}?(?:out|off|through) "
    r"|(?:\S+ ){0,10}?(?:mark|marked) (?:\S+ ){0,2}?down "
    r"|(?:\S+ ){0,8}?(?:take|took) (?:that|it|this) back "
    r"|(?:\S+ ){0,3}?(?:i was going to say|said (?:nobody|no 1)|my foot|in your dreams) "
    r"|(?:\S+ ){0,4}?(?:; )?(?:somebody|someone|1) (?:should|must|ought to) (?:fix|correct|change) "
)
# 'So do the others' says what the words before it say; read alone it can be taken for anything.
ELLIPSIS = re.compile(r"(?:and )?(?:so|neither|nor) (?:do|does|did|is|are|was|were|will|would) ")
# 'For inference there is no backward' tells of another case, not of this one.
OTHER_CASE = re.compile(
    r"(?!.*\btrain)(?:.* )?(?:in|at|for|during|when|while|with|doing|run|running|only) (?:\S+ )?"
    r"(?:inference|serving|eval|evaluation|prediction|deployment) "
)
SUPPOSED = re.compile(r"(?:only if|unless|if only|even if|suppose|imagine|as if|if) ")
GLUE = frozenset(("is", "are", "the", "to", "so", "not", "it", "that", "per", "of", "you", "i"))
HEDGED = frozenset(("might", "maybe", "perhaps", "possibly", "probably", "could", "may", "guess"))
