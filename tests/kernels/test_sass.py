"""Machine code and a profiler's table, read from listings written by hand."""

import types

import pytest

from kernels.bench.experiments import profiled, sass

LISTING = """
        .headerflags    @"EF_CUDA_SM90"
        /*0000*/                   LDC R1, c[0x0][0x28] ;            /* 0x00000a00ff017b82 */
                                                                     /* 0x000fe20000000800 */
        /*0010*/                   FADD R2, R2, R3 ;                 /* 0x0 */
        /*0020*/                   LDG.E.128 R4, desc[UR4][R2.64] ;  /* 0x0 */
        /*0030*/                   FFMA R4, R4, R2.reuse, R3 ;       /* 0x0 */
        /*0040*/               @P0 FMUL.FTZ R5, R4, R4 ;             /* 0x0 */
        /*0050*/                   MUFU.EX2 R5, R5 ;                 /* 0x0 */
        /*0060*/                   HFMA2.MMA R9, -RZ, RZ, 0, 0 ;     /* 0x0 */
        /*0070*/              @!P1 BRA 0x20 ;                        /* 0x0 */
        /*0080*/                   STG.E R4, desc[UR4][R2.64] ;      /* 0x0 */
        /*0090*/                   EXIT ;                            /* 0x0 */
        /*00a0*/                   BRA 0xa0 ;                        /* 0x0 */
        /*00b0*/                   NOP;                              /* 0x0 */
"""


def test_one_turn_of_the_loop_is_counted():
    found = sass.counted(LISTING, 1.0)
    assert found == {"instructions": 6.0, "flops_executed": 4.0, "special": 1.0}


def test_counts_are_for_one_element():
    assert sass.counted(LISTING, 0.25)["flops_executed"] == 1.0


def test_without_a_loop_the_whole_program_counts_but_for_its_padding():
    straight = LISTING.replace("@!P1 BRA 0x20", "@!P1 BRA 0x80")
    found = sass.counted(straight, 1.0)
    assert found["instructions"] == 10
    assert found["flops_executed"] == 5.0


def test_the_longest_of_several_loops_is_the_main_one():
    nested = LISTING.replace("STG.E R4, desc[UR4][R2.64]", "@P2 BRA 0x10")
    assert sass.counted(nested, 1.0)["flops_executed"] == 5.0


def test_a_kernel_without_machine_code_counts_as_unread():
    compiled = types.SimpleNamespace(asm={}, metadata=types.SimpleNamespace(num_warps=4))
    assert set(sass.an_element(compiled, 1024).values()) == {None}


def table(*rows: tuple) -> list[str]:
    names = ("ID", "Kernel Name", *profiled.ARITHMETIC, *profiled.MEMORY)
    lines = [names, ("", "", *("inst",) * 3, *("byte",) * 2), *rows]
    return ["==PROF== Connected", *(",".join(f'"{value}"' for value in line) for line in lines)]


def test_a_profilers_rows_are_parted_by_the_marker():
    found = profiled.parse(
        table(
            (0, "spin_kernel(long)", 0, 0, 0, 0, 0),
            (1, "norm", "1,000", 20, 300, "4,000", 5000),
            (2, "add", 1, 0, 0, 10, 20),
            (3, "spin_kernel(long)", 0, 0, 0, 0, 0),
            (4, "backward", 7, 0, 1, 100, 200),
        )
    )
    forward, backward = found["separate", "forward"], found["separate", "backward"]
    assert forward == {"flops_profiled": 1000 + 20 + 600 + 1, "bytes_profiled": 9030}
    assert backward == {"flops_profiled": 9, "bytes_profiled": 300}


def test_a_profiler_that_said_nothing_gives_no_counts():
    assert profiled.parse(["==ERROR== no permission"]) == {}


def test_a_kernel_before_any_marker_is_an_error():
    with pytest.raises(KeyError):
        profiled.parse(table((0, "norm", 1, 1, 1, 1, 1)))
