"""What a kernel's machine code holds: instructions and arithmetic for each element.

Read from the compiled kernel by the disassembler that comes with Triton. Counted is one
turn of the main loop (the longest one), or all of a program that has none; both are
static counts: what stands there, with both sides of a branch.
"""

import re
import subprocess
import tempfile
from collections import Counter

# Arithmetic of each float32 instruction, for one lane; the later two are Blackwell's pairs.
# Half-precision instructions are left out: the kernels compute in float32, and the compiler
# uses HFMA2 and HADD2 to move constants and to widen.
FLOPS = {
    "FADD": 1, "FMUL": 1, "FFMA": 2, "FMNMX": 1, "MUFU": 1, "FADD2": 2, "FMUL2": 2, "FFMA2": 4,
}  # fmt: skip
WARP = 32

_INSTRUCTION = re.compile(r"^\s+/\*([0-9a-f]{4,})\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)\s*(.*?);")
_TARGET = re.compile(r"0x([0-9a-f]+)")
_PADDING = ("NOP", "BRA")
_UNREADABLE = (
    ImportError, AttributeError, KeyError, RuntimeError, OSError, subprocess.SubprocessError,
)  # fmt: skip


def an_element(compiled, elements: int) -> dict[str, float | None]:
    """{"instructions", "flops_executed", "special"} of one element; None where nothing reads it.

    `elements` is how many one turn of the loop (or one program) works on; `special` counts
    the instructions of the slower unit for exponentials and reciprocals.
    """
    listing = disassembled(compiled)
    if listing is None:
        return {"instructions": None, "flops_executed": None, "special": None}
    return counted(listing, compiled.metadata.num_warps * WARP / elements)


def disassembled(compiled) -> str | None:
    """The kernel's machine code as text; None where there is no disassembler or no such code."""
    try:
        from triton import knobs

        tool = knobs.nvidia.cuobjdump.path
        with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
            file.write(compiled.asm["cubin"])
            file.flush()
            command = [tool, "-sass", file.name]
            done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)
    except _UNREADABLE:
        return None
    return done.stdout


def counted(listing: str, lanes_an_element: float) -> dict[str, float]:
    """The counts of a listing, each for one element."""
    kinds = Counter(name.split(".")[0] for _, name, _ in main_loop(instructions(listing)))
    every = {
        "instructions": sum(kinds.values()),
        "flops_executed": sum(FLOPS.get(kind, 0) * count for kind, count in kinds.items()),
        "special": kinds["MUFU"],
    }
    return {name: round(count * lanes_an_element, 3) for name, count in every.items()}


def instructions(listing: str) -> list[tuple[int, str, str]]:
    """(address, name, operands) of each instruction, without the padding after the last exit."""
    found = [m.groups() for m in map(_INSTRUCTION.match, listing.splitlines()) if m]
    whole = [(int(address, 16), name, operands) for address, name, operands in found]
    while whole and whole[-1][1].split(".")[0] in _PADDING:
        whole.pop()
    return whole


def main_loop(whole: list[tuple[int, str, str]]) -> list[tuple[int, str, str]]:
    """The instructions of the longest loop; all of them where there is no loop."""
    loops = [pair for pair in map(_loop, whole) if pair]
    if not loops:
        return whole
    start, end = max(loops, key=lambda pair: pair[1] - pair[0])
    return [one for one in whole if start <= one[0] <= end]


def _loop(one: tuple[int, str, str]) -> tuple[int, int] | None:
    """(start, end) of the loop that this branch back closes."""
    address, name, operands = one
    target = _TARGET.search(operands) if name.startswith("BRA") else None
    start = int(target.group(1), 16) if target else address
    return (start, address) if start < address else None
