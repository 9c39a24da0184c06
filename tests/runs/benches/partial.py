"""Ends well after half a measurement."""

from tests.runs.benches import CHECK, FUSED, answered_a_probe, say

if not answered_a_probe():
    say(CHECK)
    say(FUSED)
