"""The kernels compiled for a Hopper GPU and 'started' on none, to see what would be handed over.

Run as a program, since it puts a driver that starts nothing in the place of
Triton's: everything up to the launch is the real thing, the assembler included.
Prints one JSON line for each call of a chain: the kernels started the first time,
when Triton compiles and launches, and the second time, when the plan does.
"""

import json
import sys

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


class _Launcher:
    """Notes what the launch was given in the place of launching."""

    def __init__(self, source, metadata):
        self.name = source.fn.fn.__name__
        self.pointers = [kind.startswith("*") for kind in source.signature.values()]
        # Of parameters that were None when the kernel was compiled, their places.
        self.absent = sorted(at for (at,), value in source.constants.items() if value is None)

    def __call__(self, *given):
        last = given[-len(self.pointers) :]
        arguments = [
            _Launcher.address(a) if pointer else a
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
    launcher_cls = _Launcher

    def get_current_target(self):
        return GPUTarget("cuda", 90, 32)

    def get_current_device(self):
        return 0

    def get_current_stream(self, _device):
        return 0

    def get_active_torch_device(self):
        return torch.device("cpu")


def _twice(
    chain, rows: int, features: int, dtype: torch.dtype, vectors: list[bool], how: dict
) -> dict:
    def tensor(*shape: int) -> torch.Tensor:
        return torch.zeros(*shape, dtype=dtype).requires_grad_()

    given = [tensor(rows, features), tensor(rows, features)]
    given += [tensor(features) if there else None for there in vectors]  # weight, bias
    called = zip(("x", "residual", "weight", "bias"), given, strict=True)
    names.clear()
    names.update({t.data_ptr(): name for name, t in called if t is not None})
    rounds = []
    for _ in range(2):
        started.clear()
        chain(*given, **how).sum().backward()
        rounds.append(list(started))
    return {"first": rounds[0], "second": rounds[1]}


def main() -> None:
    """Start every case given as JSON on standard input."""
    driver.set_active(_Driver())
    import kernels
    from kernels import arguments, plans, tiling

    arguments.INTERPRETED = True  # a CPU tensor stands for one on the GPU
    plans._early = lambda _device: True
    plans._multiprocessors = lambda _device: tiling.H200[0]
    plans._room = lambda _device: tiling.H200
    for case in json.load(sys.stdin):
        case["dtype"] = getattr(torch, case["dtype"])
        chain = getattr(kernels, case.pop("chain"))
        print(json.dumps(_twice(chain, **case)))


if __name__ == "__main__":
    main()
