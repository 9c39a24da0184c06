"""A Hopper GPU that is none: kernels are compiled for it and 'started' without one.

Only programs use it, since it puts a driver that starts nothing in the place of Triton's:
everything up to the launch is the real thing, the assembler included.
"""

import torch
from triton.backends.compiler import GPUTarget
from triton.runtime import driver

SHARED_BYTES = 232_448
started: list[dict] = []
names: dict[int, str] = {}  # of the tensors given to a chain, by their addresses


class _Utils:
    def load_binary(self, _name, _kernel, _shared, _device):
        return 1, 2, 128, 0, 1024  # module, function, registers, spills, threads

    def get_device_properties(self, _device):
        return {"max_shared_mem": SHARED_BYTES, "multiprocessor_count": 132}

    def unload_module(self, _module):
        pass


class Launcher:
    """Notes what the launch was given in the place of launching."""

    def __init__(self, source, metadata):
        self.name = source.fn.fn.__name__
        self.pointers = [kind.startswith("*") for kind in source.signature.values()]
        # Of parameters that were None when the kernel was compiled, their places.
        self.absent = sorted(at for (at,), value in source.constants.items() if value is None)

    def __call__(self, *given):
        last = given[-len(self.pointers) :]
        arguments = [
            Launcher.address(a) if pointer else a
            for a, pointer in zip(last, self.pointers, strict=True)
        ]
        started.append(
            {"kernel": self.name, "grid": given[:3], "arguments": arguments, "absent": self.absent}
        )

    @staticmethod
    def address(given) -> str:
        """A tensor, or where it lies, said alike."""
        where = given.data_ptr() if isinstance(given, torch.Tensor) else given
        return names.get(where, "another") if where else "nowhere"


class _Driver:
    utils = _Utils()
    launcher_cls = Launcher

    def get_current_target(self):
        return GPUTarget("cuda", 90, 32)

    def get_current_device(self):
        return 0

    def get_current_stream(self, _device):
        return 0

    def get_active_torch_device(self):
        return torch.device("cpu")


def stand_in(launcher: type[Launcher] = Launcher) -> None:
    """From here on a CPU tensor stands for one on the GPU, and a launch is written down."""
    _Driver.launcher_cls = launcher
    driver.set_active(_Driver())
    from kernels import arguments, devices, tiling

    arguments.INTERPRETED = True
    devices.early = lambda _device: True
    devices.multiprocessors = lambda _device: tiling.H200[0]
    devices.room = lambda _device: tiling.H200
