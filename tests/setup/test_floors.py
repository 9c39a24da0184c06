"""What must run on the standard library alone does so, in a Python that has nothing else."""

import subprocess
import sys

import pytest

from tests.setup.checkout import ROOT

NETWORK = {
    f"app.domain.checking.{name}"
    for name in ("session", "network", "spans", "verifier", "pitfalls", "check")
}
"""The checker's networks run on ONNX Runtime; all that they are built on does not."""

RULES = sorted(
    {
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in (ROOT / "app/domain").rglob("*.py")
        if path.stem != "__init__"
    }
    - NETWORK
)


@pytest.mark.parametrize("module", ["kernels", "kernels.traffic", "kernels.bench.protocol", *RULES])
def test_a_module_needs_the_standard_library_alone(module: str) -> None:
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import {module}"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
