"""How runs are called: by what was chosen, in the words of the experiment."""

import re
from collections.abc import Mapping
from typing import Any

from kernels.lab.experiment import Experiment

_EXPLAINED = re.compile(r" ?[,;(].*")


def brief(words: str) -> str:
    """A choice's words without what explains them: `quick`, of `quick, some 20 s`."""
    return _EXPLAINED.sub("", words)


def title_of(experiment: Experiment | None, parameters: Mapping[str, Any]) -> str:
    """What was asked for, in words: `Whisper large, bfloat16, forward`."""
    known = experiment.parameters.items() if experiment else ()
    words = [_words(one.choices, parameters, name) for name, one in known]
    on_cpu = ["CPU edition"] if parameters.get("device") == "cpu" else []
    return ", ".join([word for word in words if word] + on_cpu)


def named(device: str) -> str:
    """A device with its article, as one speaks of another's: `an NVIDIA H200`."""
    return f"{'an' if device[:1] in 'AEIO' or device.startswith('NVIDIA') else 'a'} {device}"


def _words(choices: Mapping[str, str], parameters: Mapping[str, Any], name: str) -> str:
    value = parameters.get(name)
    if name == "preset" and value is None and "rows" in parameters:  # a shape without a name
        return f"{parameters['rows']} × {parameters.get('features')}"
    return brief(choices.get(str(value), str(value))) if value is not None else ""
