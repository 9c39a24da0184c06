"""Ends well after half a measurement."""

from tests.runs.benches import CHECK, answered_a_probe, result, say

if not answered_a_probe():
    say(CHECK)
    say(result("fused", 89.6))
