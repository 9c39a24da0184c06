"""Launches measured on an NVIDIA H200 (torch 2.11, Triton 3.6).

{(direction, bytes an element, features): a Tiling's first fields}; the rules cover
the rest, and kernels/tiling.py says what governs these numbers. Exact GELU, LayerNorm, affine, the
shapes of `python -m kernels.bench tune`, the fastest of some dozens each, timed one
call at a time as `limits` does.
"""

TUNED = {
    # width, parts, rows, warps, programs a multiprocessor, stages, held, registers, tiles each
    ("backward", 2, 512): (256, 2, 4, 4, 3, 4, 4, 128),
    ("backward", 2, 768): (256, 3, 4, 4, 3, 3, 4, 168),
    ("backward", 2, 1024): (512, 2, 2, 4, 3, 4, 2, 168),
    ("backward", 2, 1280): (256, 5, 1, 2, 6, 3, 1, 168),
    ("backward", 2, 2880): (1024, 3, 1, 4, 3, 4, 1, 168),
    ("backward", 2, 4096): (1024, 4, 1, 4, 2, 3, 1, None),
    ("backward", 2, 8192): (2048, 4, 1, 8, 1, 4, 1, None),
    ("backward", 4, 512): (128, 4, 4, 4, 2, 3, 4, 128),
    ("backward", 4, 768): (128, 6, 1, 2, 6, 3, 1, 168),
    ("backward", 4, 1024): (512, 2, 2, 4, 2, 3, 2, None),
    ("backward", 4, 1280): (128, 10, 2, 4, 2, 3, 2, None),
    ("backward", 4, 4096): (2048, 2, 1, 16, 1, 4, 1, 128),
    ("backward", 4, 8192): (4096, 2, 1, 32, 1, 3, 1, None),
    ("forward", 2, 512): (256, 2, 1, 1, 16, 3, 1, None, 2),
    ("forward", 2, 768): (256, 3, 1, 1, 16, 2, 1, None, 2),
    ("forward", 2, 1024): (256, 4, 1, 1, 12, 3, 1, None, 2),
    ("forward", 2, 1280): (256, 5, 1, 1, 16, 3, 1, None, 3),
    ("forward", 2, 4096): (2048, 2, 1, 8, 2, 3, 1, None, 4),
    ("forward", 2, 8192): (1024, 8, 1, 4, 2, 3, 1, None, 5),
    # One program of 16 warps: 0.93 of the limit, where a team's forward had 0.87.
    ("forward", 2, 16384): (4096, 4, 1, 16, 1, 3, 1, 128),
    ("forward", 4, 512): (512, 1, 2, 4, 1073741824, 1, 2, None),
    ("forward", 4, 768): (128, 6, 1, 1, 1073741824, 1, 1, 128),
    ("forward", 4, 1024): (512, 2, 1, 4, 1073741824, 1, 1, None),
    ("forward", 4, 1280): (256, 5, 1, 4, 1073741824, 1, 1, None),
    ("forward", 4, 4096): (1024, 4, 1, 8, 3, 2, 1, 80, 2),
    ("forward", 4, 8192): (4096, 2, 1, 32, 1, 3, 1, None),
}

TEAMS = {
    # A team's: width, rows, warps, programs a multiprocessor, stages, registers. No more
    # registers than these numbers of warps find in each quarter of a multiprocessor.
    ("backward", 2): (1024, 2, 2, 4, 4, None),
    ("backward", 4): (2048, 2, 4, 2, 3, None),
    ("forward", 2): (1024, 2, 2, 6, 3, 168),
    ("forward", 4): (1024, 2, 4, 4, 3, 128),
}
"""{(direction, bytes an element): …} of rows of any length that teams take."""
