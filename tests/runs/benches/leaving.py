"""Measures, and leaves something behind in a group of its own that holds its output open."""

import subprocess
import sys

from tests.runs.benches import CHECK, FUSED, LIMIT, SEPARATE, SUMMARY, answered_a_probe, say

if not answered_a_probe():
    sleep = [sys.executable, "-c", "import time; time.sleep(60)"]
    left = subprocess.Popen(sleep, start_new_session=True)
    say(CHECK | {"child": left.pid})
    for event in (LIMIT, SEPARATE, FUSED, SUMMARY):
        say(event)
