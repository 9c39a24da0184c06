"""Measures, quickly and whole."""

from tests.runs.benches import CHECK, SUMMARY, answered_a_probe, result, say

if not answered_a_probe():
    say(CHECK)
    for done in range(1, 4):
        say({"event": "progress", "done": done, "of": 3})
    say(result("separate", 198.0))
    say(result("fused", 89.6))
    say(SUMMARY)
