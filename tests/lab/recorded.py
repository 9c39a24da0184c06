"""The recorded runs, and what is concluded of each."""

import json
from pathlib import Path

from kernels.lab import EXPERIMENTS
from kernels.lab.conclusion import Conclusion
from kernels.lab.evidence import evidence_of

RECORDINGS = Path(__file__).parents[2] / "content" / "recordings"
RECORDED = {path.stem: path for path in sorted(RECORDINGS.glob("*/*.jsonl"))}


def concluded(name: str) -> Conclusion:
    """What the recording of this name shows."""
    events = [json.loads(line) for line in RECORDED[name].read_text().splitlines()]
    device = next(event for event in events if event["event"] == "device")
    return EXPERIMENTS[device.get("experiment", "chain")].conclude(evidence_of(events))
