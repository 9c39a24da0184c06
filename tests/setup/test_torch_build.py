"""Which PyTorch is taken, from what pip lists as available."""

import pytest

from environment import torch_build
from environment.failure import SetupError

INDEX = ["2.15.0", "2.14.1", "2.13.0", "2.12.1", "2.11.0", "2.10.0"]


@pytest.mark.parametrize(
    ("versions", "gpu", "platform", "chosen"),
    [
        (INDEX, True, "linux", "2.13.0"),
        (INDEX, False, "linux", None),  # the default build on Linux is CUDA's
        (INDEX, False, "darwin", "2.13.0"),
        ([*INDEX, "2.12.1+cpu"], False, "linux", "2.12.1+cpu"),
        ([*INDEX, "2.12.1+cpu", "2.13.0+cpu"], False, "linux", "2.13.0+cpu"),
        ([*INDEX, "2.13.0+cpu"], True, "linux", "2.13.0"),
        (["2.13.0+cu130", "2.13.0+cpu", "2.13.0+rocm7.1"], True, "linux", "2.13.0+cu130"),
        (["2.14.0+cpu", "2.10.0+cpu", "2.13.0rc1+cpu"], False, "linux", None),
        ([], True, "linux", None),
    ],
)
def test_the_newest_build_in_range_that_this_machine_can_use_is_chosen(
    versions: list[str], gpu: bool, platform: str, chosen: str | None
) -> None:
    assert torch_build.choose(versions, gpu, platform) == chosen
    assert torch_build.choose(reversed(versions), gpu, platform) == chosen


def test_versions_are_compared_as_numbers() -> None:
    assert torch_build.choose(["2.11.9+cpu", "2.11.10+cpu"], False, "linux") == "2.11.10+cpu"


def test_a_cpu_build_brings_the_triton_of_its_version_on_linux_only() -> None:
    cpu = torch_build.requirements("2.13.0+cpu", "linux")
    assert cpu == ["torch===2.13.0+cpu", "numpy>=2.1,<3", "triton==3.7.1"]
    assert torch_build.requirements("2.13.0", "linux") == ["torch===2.13.0", "numpy>=2.1,<3"]
    assert torch_build.requirements("2.13.0", "darwin") == ["torch===2.13.0", "numpy>=2.1,<3"]


@pytest.mark.parametrize("minor", range(torch_build.OLDEST[1], torch_build.NEWER_THAN_ALL[1]))
def test_every_version_in_range_has_its_triton(minor: int) -> None:
    assert torch_build.requirements(f"2.{minor}.0+cpu", "linux")[2].startswith("triton==3.")


def test_the_listing_of_pip_is_read_with_its_warnings_around() -> None:
    listing = (
        "WARNING: pip index is currently an experimental command.\n"
        "torch (2.15.0)\nAvailable versions: 2.15.0, 2.13.0+cpu, 2.13.0\n  INSTALLED: 2.13.0\n"
    )
    assert torch_build.listed(listing) == ["2.15.0", "2.13.0+cpu", "2.13.0"]


def test_a_listing_without_versions_is_an_error() -> None:
    with pytest.raises(SetupError):
        torch_build.listed("ERROR: No matching distribution found for torch\n")


def test_the_locked_versions_become_limits_without_hashes() -> None:
    lock = (
        "# Made by …\nalembic==1.20.1 \\\n    --hash=sha256:83 \\\n    --hash=sha256:99\n"
        "    # via ridgepoint\ncolorama==0.4.6 ; sys_platform == 'win32' \\\n    --hash=sha256:4f\n"
    )
    limits = torch_build.pins(lock).splitlines()
    assert [line.strip() for line in limits] == [
        "alembic==1.20.1",
        "colorama==0.4.6 ; sys_platform == 'win32'",
    ]
