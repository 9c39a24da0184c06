"""Dies without a word, as on a fault of the device."""

import os
import signal

from tests.runs.benches import answered_a_probe

if not answered_a_probe():
    os.kill(os.getpid(), signal.SIGSEGV)
