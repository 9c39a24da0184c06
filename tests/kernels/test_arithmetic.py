"""The operations that the formulas have, whichever way the chain is cut."""

from kernels.arithmetic import flops
from kernels.traffic import Chain, total_bytes

WHISPER = Chain(48_000, 1280)


def test_fusing_changes_no_forward_arithmetic_and_adds_to_the_backward_s():
    for activation in ("gelu", "gelu_tanh", "silu", "relu", "identity"):
        chain = Chain(8, 8, activation=activation)
        assert flops(chain, "fused", "forward") == flops(chain, "separate", "forward")
        assert flops(chain, "fused", "backward") > flops(chain, "separate", "backward")


def test_intensity_is_left_of_any_ridge():
    assert flops(WHISPER, "separate", "forward") / total_bytes(WHISPER, "separate", "forward") < 1


def test_an_element_of_the_forward_costs_what_its_formula_has():
    assert flops(Chain(1, 1), "fused", "forward") == 5 + 2 + 5 + 1
    assert flops(Chain(1, 1, norm="rms", activation="relu"), "fused", "forward") == 3 + 2 + 1 + 1
    assert flops(Chain(2, 3, affine=False), "eager", "forward") == 6 * (5 + 5 + 1)
