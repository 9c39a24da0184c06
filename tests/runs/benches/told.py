"""Goes on until it is told to stop, and then does."""

import time

from tests.runs.benches import answered_a_probe, say

if not answered_a_probe():
    for done in range(6000):
        say({"event": "progress", "done": done, "of": 6000})
        time.sleep(0.1)
