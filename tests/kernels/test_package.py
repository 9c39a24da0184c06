"""Importing the package costs nothing and needs nothing."""

import subprocess
import sys
from importlib import import_module

import pytest

LIGHT = ("kernels", "kernels.traffic", "kernels.arithmetic", "kernels.bench.protocol",
         "kernels.lab.measures", "kernels.tiling")  # fmt: skip


@pytest.mark.parametrize("name", LIGHT)
def test_importing_it_loads_neither_torch_nor_triton(name):
    heavy = {"torch", "triton", "numpy"}
    program = f"import sys, {name}; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_its_public_names_are_found_and_no_other():
    import kernels

    assert set(kernels.__all__) == set(dir(kernels))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = kernels.nothing


def test_importing_triton_s_side_initialises_no_cuda():
    import_module("tests.kernels.needs")  # skips where torch is missing

    program = "import torch, kernels.fused, kernels.separate; print(torch.cuda.is_initialized())"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
