"""Finds no GPU once it starts."""

import sys

from tests.runs.benches import answered_a_probe, say

if not answered_a_probe():
    say({"event": "error", "kind": "no_gpu", "message": "torch finds no CUDA device."})
    sys.exit(3)
