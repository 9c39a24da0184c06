"""Never ends, refuses to be told to, and has a child that does the same."""

import signal
import subprocess
import sys
import time

from tests.runs.benches import LIMIT, answered_a_probe, say

if not answered_a_probe():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    say(LIMIT | {"child": child.pid})
    for done in range(6000):
        say({"event": "progress", "done": done, "of": 6000})
        time.sleep(0.1)
