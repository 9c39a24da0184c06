"""`ridgepoint doctor` on the GPU, asked by a real program in the place of the driver's own."""

import os

import pytest

from app.commands import doctor


@pytest.fixture
def driver(tmp_path, monkeypatch):
    """Have `nvidia-smi` do what a line of shell says."""

    def does(line):
        program = tmp_path / "nvidia-smi"
        program.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    return does


def test_a_gpu_is_told_with_its_driver(driver):
    driver("echo 'NVIDIA H200, 580.159.04'")
    assert doctor._gpu() == (True, "GPU: NVIDIA H200, 580.159.04")


def test_a_driver_that_does_not_answer_holds_nobody_up(driver, monkeypatch):
    monkeypatch.setattr(doctor, "DRIVER_SECONDS", 0.2)
    driver("exec sleep 60")
    assert doctor._gpu() == (False, "GPU: its driver has not answered for 0.2 s")
