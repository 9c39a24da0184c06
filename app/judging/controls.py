"""Two questions whose answers are known, asked beside the real ones.

A judge that an answer has talked into saying yes to everything, or no, says so
here too, as does a model too weak for the task. Its view is then thrown away.
"""

from app.judging.questions import Question
from app.judging.reply import Verdict, View

_ADDED = "The kitchen of our office is on the third floor."


def absent(text: str) -> Question:
    """A claim that no answer makes."""
    says = "The night train from Lisbon to Porto was an hour late."
    return Question("control:train", says, (), (), text)


def present(text: str) -> Question:
    """A claim that the text makes, because a sentence was added to it."""
    says = "The office's kitchen is on the third floor."
    return Question("control:kitchen", says, (), (), f"{text}\n\n{_ADDED}")


def holds(absent_view: View | None, present_view: View | None) -> bool:
    """Whether both came back as they must."""
    denied = absent_view is not None and absent_view.verdict is Verdict.NEITHER
    found = present_view is not None and present_view.verdict is Verdict.ASSERTS
    return denied and found
