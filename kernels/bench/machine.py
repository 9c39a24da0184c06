"""What the run ran on: the GPU or the processor, its clocks and its company."""

import platform
import warnings
from importlib.util import find_spec
from pathlib import Path

from kernels.bench.emit import Failure


def need_torch():
    """The torch module; Failure where it is not installed."""
    try:
        import torch
    except ImportError as missing:
        raise Failure(
            "no_torch",
            f"PyTorch is needed for this and is not installed ({missing}); "
            "the recorded runs show what it would measure.",
        ) from None
    return torch


def has_triton() -> bool:
    """Whether Triton is installed; it is not made for every platform that PyTorch is made for."""
    return find_spec("triton") is not None


def need_gpu():
    """The torch module with a CUDA device that answers; Failure says what was found instead."""
    torch = need_torch()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = torch.cuda.is_available()
    if found and has_triton():
        return torch
    if found:
        raise Failure("no_torch", "Triton is needed for this and is not installed with PyTorch.")
    said = " ".join(str(warning.message) for warning in caught)
    if "too old" in said:
        raise Failure("driver_too_old", "The NVIDIA driver is too old for this PyTorch; update it.")
    built = "was built without CUDA" if torch.version.cuda is None else "found no CUDA device"
    raise Failure("no_gpu", f"No GPU can be used here: PyTorch {torch.__version__} {built}.")


def gpu(torch) -> dict:
    """The current CUDA device."""
    properties = torch.cuda.get_device_properties(torch.cuda.current_device())
    return {
        "kind": "cuda",
        "id": str(properties.uuid),
        "name": properties.name,
        "capability": f"{properties.major}.{properties.minor}",
        "multiprocessors": properties.multi_processor_count,
        "l2_bytes": properties.L2_cache_size,
        "memory_bytes": properties.total_memory,
        "cuda": torch.version.cuda,
        "driver": state(properties.uuid).get("driver"),
    }


def cpu(torch) -> dict:
    """The processor."""
    return {
        "kind": "cpu",
        "id": "cpu",
        "name": _processor(),
        "threads": torch.get_num_threads(),
        "capability": torch.backends.cpu.get_cpu_capability(),
        "cache_bytes": _cache_bytes(),
    }


def _cache_bytes(folder: Path = Path("/sys/devices/system/cpu/cpu0/cache")) -> int | None:
    """The largest cache that the first core can use, shared or its own; None where none is said."""
    sizes = [path.read_text().strip() for path in folder.glob("index*/size")]
    return max((_in_bytes(size) for size in sizes), default=None)


def _in_bytes(size: str) -> int:
    """Linux writes 48K or 32M."""
    units = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
    return int(size.rstrip("KMG")) * units.get(size[-1], 1)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def state(uuid) -> dict:
    """Clocks, temperature, throttling and other processes by NVML; empty where it is not there."""
    try:
        import pynvml
    except ImportError:
        return {}
    try:
        pynvml.nvmlInit()
        handle = pynvml.nvmlDeviceGetHandleByUUID(f"GPU-{uuid}")
        return {
            "driver": pynvml.nvmlSystemGetDriverVersion(),
            "sm_mhz": pynvml.nvmlDeviceGetClockInfo(handle, pynvml.NVML_CLOCK_SM),
            "memory_mhz": pynvml.nvmlDeviceGetClockInfo(handle, pynvml.NVML_CLOCK_MEM),
            "celsius": pynvml.nvmlDeviceGetTemperature(handle, pynvml.NVML_TEMPERATURE_GPU),
            "throttle_reasons": pynvml.nvmlDeviceGetCurrentClocksEventReasons(handle),
            "processes": len(pynvml.nvmlDeviceGetComputeRunningProcesses(handle)),
            "utilization_percent": pynvml.nvmlDeviceGetUtilizationRates(handle).gpu,
        }
    except pynvml.NVMLError as fault:
        return {"nvml": str(fault)}
