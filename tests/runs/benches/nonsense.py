"""Measures a time that is no number."""

from tests.runs.benches import CHECK, FUSED, SUMMARY, answered_a_probe, say

if not answered_a_probe():
    say(CHECK)
    say(FUSED | {"median_us": float("nan")})
    say(SUMMARY)
