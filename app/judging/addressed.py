"""Parts of an answer that speak to whoever grades it, and so say nothing about the question.

They are kept from the judge: what it never reads can't talk it into anything.
This catches the usual forms only; `controls` and `agreement` stand behind it.
"""

import re
from collections.abc import Sequence

from app.domain.marking import Span

_GRADER = r"(?:grader|judge|checker|examiner|evaluator|assistant|chatbot|llm|language model)"
_VERDICT = (
    r"(?:covered|correct|assert(?:s|ed)?|pass(?:es|ed)?|full (?:marks?|credit|score)"
    r"|reject(?:s|ed)?|neither|not found)"
)
_SENTENCES = (
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}"
    r"(?:\b(?:instructions?|prompts?|rubric|guidelines)\b"
    r"|\beverything (?:above|before|else)\b)",
    r"\b(?:mark|grade|score|rate|label|classify)\b.{0,60}"
    rf"\b(?:{_VERDICT}|key points?|pitfalls?)\b",
    r"\b(?:every|each|all|any) (?:the )?(?:key points?|pitfalls?|claims?|points?) as \w+",
    rf"\b(?:count|treat|consider|report|flag)\b.{{0,60}}\bas {_VERDICT}\b",
    r"\bfull (?:marks|credit|score)\b",
    rf"\b(?:you are|you're|act as|as) (?:now )?(?:an? |the )?(?:\w+ )?(?:{_GRADER}|ai)\b",
    rf"\b(?:note|message|memo|attention|dear|hey|hi|hello)\b.{{0,20}}\b(?:{_GRADER}|ai)\b",
    rf"\b{_GRADER}s?\b.{{0,30}}\b(?:must|should|shall|please|ignore|mark|has to|have to)\b",
    r"\b(?:reply|respond|answer|output|return|print|say)\b.{0,20}\b(?:json|verdict|asserts|rejects)\b",
    r"[\"'](?:verdict|quote|id|role|content|key_points?|pitfalls?)[\"']\s*:",
)
_CLOSED = (  # what pretends to be somebody else's words, up to where it ends by itself
    r"<!--(?s:.{0,2000}?)-->",
    r"\[INST\](?s:.{0,2000}?)\[/INST\]",
    r"<\|(?s:.{0,2000}?)<\|(?:im_end|eot_id|end)\|>",
    r"```(?s:.{0,2000}?)```",
    r"<(?P<tag>[a-z_]{1,20})>(?s:.{0,2000}?)</(?P=tag)>",
)
_OPEN = (  # what pretends that the answer is over, up to the end of its paragraph
    r"(?:^|(?<=[\n.!?]))\W{0,8}(?:system|assistant|user|developer|tool|human)\W{0,3}:",
    r"\bsystem (?:message|prompt|note)\b|\bnew instructions?\b",
    rf"\b{_GRADER} instructions?\b",
    r"\b(?:end|start|begin(?:ning)?) of (?:\w+ ){0,3}(?:answer|input|transcript)\b|\[\[",
    r"<!--|<\|[^|\n]{0,40}\|>|\[/?INST\]|</?[a-z_]{1,20}>|```",
)
_ADDRESSED = re.compile("|".join(_SENTENCES), re.IGNORECASE)
_MARKUP = re.compile(
    f"{'|'.join(_CLOSED)}|(?:{'|'.join(_OPEN)})(?s:.*?)(?=\n\n|\\Z)", re.IGNORECASE
)
_SENTENCE = re.compile(r"[^.!?;\n]+[.!?;]*|[.!?;]+")


def addressed(answer: str) -> tuple[Span, ...]:
    """The stretches of the answer that speak to a grader, in order and apart."""
    found = [m.span() for m in _MARKUP.finditer(answer)]
    rest = _MARKUP.sub(lambda m: "\n" * len(m[0]), answer)  # every place stays where it was
    found += [m.span() for m in _SENTENCE.finditer(rest) if _ADDRESSED.search(m[0])]
    return tuple(Span(start, end, "addressed") for start, end in _joined(sorted(found)))


def without(answer: str, spans: Sequence[Span]) -> str:
    """The answer with these spans left out, and a gap shown in place of each."""
    kept: list[str] = []
    at = 0
    for span in spans:
        kept.append(answer[at : span.start])
        at = span.end
    return " […] ".join([*kept, answer[at:]]).strip()


def overlaps(spans: Sequence[Span], start: int, end: int) -> bool:
    """Whether `start` to `end` shares a character with any of these spans."""
    return any(span.start < end and start < span.end for span in spans)


def _joined(found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sorted stretches, with those that overlap made one."""
    apart: list[tuple[int, int]] = []
    for start, end in found:
        if apart and start <= apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        else:
            apart.append((start, end))
    return apart
