"""The same words as typed in haste, as bullets, as prose, or as speech was transcribed."""

import random
import re

from tests.checking.markup import Segment

VOICES = ("prose", "prose", "typed", "speech", "unpunctuated", "unpunctuated", "bullets")

_JOINS = {
    "prose": (". ", ". ", ". ", ", and ", "; ", ", so ", " because ", ", but ", ": ", " – "),
    "typed": (". ", ", ", " and ", " so ", "; ", " but ", ". also ", " -> ", "\n", " + "),
    "speech": (". ", ". So, ", ", and, uh, ", ". And, um, ", ", so ", ". But ", ", you know, "),
    "unpunctuated": (
        " and ", " so ", " um ", " and um ", " because ", " but ", " and then ", " uh ",
        " you know ", " so yeah ", " ", " like ", " and also ", " okay so ",
    ),
    "bullets": ("\n- ", "\n- ", "\n* ", "\n"),
}  # fmt: skip
_MISHEARD = {
    "HBM": ("h b m", "hbm", "H B M", "h p m"), "DRAM": ("d ram", "D RAM", "the ram"),
    "VRAM": ("v ram", "vram"), "SRAM": ("s ram",), "FLOPs": ("flops", "flaps", "flops"),
    "flops": ("flops", "flaps", "flop's"), "TFLOPS": ("tera flops", "t flops", "teraflops"),
    "TFLOPs": ("tera flops", "t flops"), "tflops": ("tera flops", "t flops"),
    "matmuls": ("mat muls", "mat mulls", "mat moles", "matt mulls", "math malls"),
    "matmul": ("mat mul", "mat mull", "mat mall", "map mul"), "GEMMs": ("gems", "gemms", "jems"),
    "gemms": ("gems", "gemms"), "GEMM": ("gem", "gemm"), "GELU": ("jello", "gelu", "g l u"),
    "gelu": ("jello", "gelu"), "LN": ("layer norm", "lay a norm"), "LayerNorm": ("lay a norm",),
    "layer norm": ("lay a norm", "layer norm"), "GPU": ("g p u", "gpu"), "QKV": ("q k v",),
    "FFN": ("f f n", "feed forward"), "backprop": ("back prop",), "autograd": ("auto grad",),
    "PyTorch": ("pie torch", "py torch"), "Amdahl": ("am dall", "amdahl", "um doll"),
    "bwd": ("backward",), "smem": ("shared mem",), "3x": ("three x", "three times"),
    "%": (" percent",), "->": (" to ",), "→": (" to ",), "×": (" times ",), "BW": ("bandwidth",),
    "CPU": ("c p u",), "L2": ("l two",), "/": (" per ", " slash "), "=": (" is ", " equals "),
}  # fmt: skip
_HASTE = {
    "backward": ("bwd", "backwards", "bw pass", "backprop"), "forward": ("fwd",),
    "because": ("bc", "cos", "b/c"),
    "memory": ("mem",), "bandwidth": ("BW", "bw"), "with": ("w/", "with"), "you": ("u", "you"),
    "before": ("b4", "before"), "and": ("&", "and"), "about": ("~", "about"),
    "operations": ("ops",),
    "matrix multiplications": ("matmuls",), "activation": ("act",), "kernel": ("krnl", "kernel"),
    "gradients": ("grads",), "don't": ("dont",), "doesn't": ("doesnt",), "it's": ("its",),
    "won't": ("wont",), "isn't": ("isnt",), "aren't": ("arent",), "registers": ("regs",),
    "three": ("3",), "two": ("2",), "one": ("1",), "times": ("x",), "to": ("to", "2"),
}  # fmt: skip
_DIGITS = {
    "0": "zero", "1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six",
    "7": "seven", "8": "eight", "9": "nine",
}  # fmt: skip
_FILLERS = (" um", " uh", " like", " you know", " I mean", " er", " kind of", " basically")


def dress(
    groups: list[list[Segment]], voice: str, rng: random.Random, join: bool = True
) -> tuple[Segment, ...]:
    """The groups as one answer in a voice; labels stay with their words."""
    segments: list[Segment] = []
    for i, group in enumerate(groups):
        if join and (i or voice == "bullets"):
            segments.append(Segment(rng.choice(_JOINS[voice])))
        starts = i == 0 or segments[-1].text.rstrip(" ").endswith((".", "- ", "\n"))
        segments += [_voiced(s, voice, starts and not j, rng) for j, s in enumerate(group)]
    if join and voice in ("prose", "speech"):
        segments.append(Segment("."))
    return tuple(segment for segment in segments if segment.text)


def _voiced(segment: Segment, voice: str, starts: bool, rng: random.Random) -> Segment:
    text = segment.text
    if voice == "unpunctuated":
        text = _spoken(text, rng)
    elif voice == "speech":
        text = _capital(_stumbling(text, rng), starts)
    elif voice == "typed":
        text = _hasty(text, rng)
    elif voice == "prose":
        text = _capital(text, starts)
    return Segment(text, segment.labels)


def _capital(text: str, starts: bool) -> str:
    return text[:1].upper() + text[1:] if starts else text


def _spoken(text: str, rng: random.Random) -> str:
    text = _misheard(text, rng, 0.8)
    text = re.sub(r"\d", lambda m: f" {_DIGITS[m.group()]} ", text) if rng.random() < 0.7 else text
    text = re.sub(r"[^\w\s']", " ", text).lower()
    return re.sub(r"\s+", " ", _stumbling(text, rng))


def _stumbling(text: str, rng: random.Random) -> str:
    words = text.split(" ")
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        at = rng.randrange(len(words))
        words[at] = words[at] + rng.choice((*_FILLERS, " " + words[at]))
    return " ".join(words)


def _misheard(text: str, rng: random.Random, rate: float) -> str:
    for word, heard in _MISHEARD.items():
        if word in text and rng.random() < rate:
            edge = r"\b" if word[0].isalnum() else ""
            text = re.sub(edge + re.escape(word) + edge, rng.choice(heard), text)
    return text


def _hasty(text: str, rng: random.Random) -> str:
    for word, short in _HASTE.items():
        if word in text and rng.random() < 0.4:
            text = re.sub(rf"\b{re.escape(word)}\b", rng.choice(short), text)
    text = text.lower() if rng.random() < 0.6 else text
    return _typo(text, rng) if rng.random() < 0.3 else text


def _typo(text: str, rng: random.Random) -> str:
    """One letter dropped, doubled or swapped with the next."""
    at = rng.randrange(len(text))
    kind = rng.randrange(3)
    if kind == 0:
        return text[:at] + text[at + 1 :] or text
    if kind == 1:
        return text[:at] + text[at : at + 1] + text[at:]
    return text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]
