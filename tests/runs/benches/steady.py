"""Measures, quickly and whole."""

from tests.runs.benches import CHECK, FUSED, LIMIT, SEPARATE, SUMMARY, answered_a_probe, say

if not answered_a_probe():
    say(CHECK)
    for done in range(1, 4):
        say({"event": "progress", "done": done, "of": 3})
    for event in (LIMIT, SEPARATE, FUSED, SUMMARY):
        say(event)
