"""What the launches ask of a device; of a processor, what the interpreter is to be told."""

from functools import cache

import torch

from kernels.tiling import Room


def multiprocessors(device: torch.device) -> int:
    """How many multiprocessors it has."""
    if device.type != "cuda":
        return 2  # the interpreter: enough for every loop to turn more than once
    return torch.cuda.get_device_properties(device).multi_processor_count


def room(device: torch.device) -> Room:
    """Where the programs of a cooperative launch find themselves together.

    Should the device take fewer after all (shared with another process in a way that is
    not told here), the launch fails with CUDA's own error; nothing waits for ever.
    """
    if device.type != "cuda":
        return 0, 0  # the interpreter runs one program after another
    found = torch.cuda.get_device_properties(device)
    return found.multi_processor_count, found.shared_memory_per_multiprocessor


@cache
def early(device: torch.device) -> bool:
    """Whether a kernel can be started before the one it waits for has ended (Hopper on)."""
    return device.type == "cuda" and torch.cuda.get_device_capability(device) >= (9, 0)
