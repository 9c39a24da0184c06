"""Runs whichever experiment it is asked for, and prints what it was asked beside its results."""

import sys
import time

from tests.lab.runs import events_of
from tests.runs.benches import answered_a_probe, say

if "device" in sys.argv:
    answered_a_probe()
else:
    name, *words = sys.argv[1:]
    given = dict(zip(words[::2], words[1::2], strict=True))
    where = given.pop("--device")
    for event in events_of(name, **{flag.removeprefix("--"): v for flag, v in given.items()}):
        say(event | ({"id": where} if event["event"] == "device" else {}))
        time.sleep(0.2 if event["event"] == "progress" else 0)
