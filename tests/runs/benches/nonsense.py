"""Measures a time that is no number."""

from tests.runs.benches import CHECK, SUMMARY, answered_a_probe, result, say

if not answered_a_probe():
    say(CHECK)
    say(result("fused", float("nan")))
    say(SUMMARY)
