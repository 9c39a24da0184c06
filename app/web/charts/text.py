"""How wide a text will be, guessed on the wide side: a server does not know its reader's font."""

from app.web.charts.drawing import SIZE

_NARROW = frozenset("ijl.,:;'|! ()[]ft·\u2009\u00a0-/")
_BROAD = frozenset("mMW%@—…")
_WIDE = frozenset("w×÷−+=<>≤≥→←")
_EM = {"narrow": 0.41, "wide": 0.85, "broad": 1.0, "capital": 0.79, "rest": 0.64}
_STRONG = 1.16


def width(words: str, kind: str = "") -> float:
    """The width in units: about that of DejaVu Sans, the widest of the usual system fonts."""
    return SIZE * sum(map(_em, words)) * (_STRONG if "strong" in kind else 1)


def wrapped(words: str, room: float) -> tuple[str, ...]:
    """The text in as many lines as the room asks for; a word longer than it is cut short."""
    lines: list[str] = []
    for word in words.split():
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and width(joined) <= room:
            lines[-1] = joined
        else:
            lines.append(cut(word, room))
    return tuple(lines)


def cut(words: str, room: float, kind: str = "") -> str:
    """The text, or its beginning and an ellipsis where it is wider than the room."""
    if width(words, kind) <= room:
        return words
    while words and width(words + "…", kind) > room:
        words = words[:-1]
    return words.rstrip() + "…"


def _em(letter: str) -> float:
    if letter in _NARROW:
        return _EM["narrow"]
    if letter in _WIDE:
        return _EM["wide"]
    if letter in _BROAD:
        return _EM["broad"]
    if ord(letter) > 0x2E80:  # ideographs and the like are as wide as they are high
        return 1.1
    return _EM["capital"] if letter.isupper() else _EM["rest"]
