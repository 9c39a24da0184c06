"""What an experiment compiles after it compiled its kernels at once: nothing, if none is missing.

For a Hopper GPU, and started on none (dry_hopper.py). Prints {case: kernels compiled late} as JSON.
"""

import json

import torch

from tests.kernels.dry_hopper import Launcher, stand_in

ROWS = 8192
compiled: list[str] = []


class _Noted(Launcher):
    """Made once for each compiled kernel."""

    def __init__(self, source, metadata):
        super().__init__(source, metadata)
        compiled.append(self.name)


def _late(at_once, then) -> list[str]:
    from kernels.bench.experiments.together import compile_at_once

    compile_at_once(at_once)
    before = len(compiled)
    then()
    return compiled[before:]


def _share(model: str) -> list[str]:
    """The steps of an encoder."""
    from kernels.bench.experiments import share_checks, training

    x, letters = training.inputs(1, 3, 512, "cpu")

    def steps() -> None:
        for way in ("separate", "fused"):
            encoder = training.encoder(model, 512, way, "cpu").bfloat16()
            training.loss_and_gradients(encoder, x, letters)

    return _late(share_checks.starts(model, ROWS, 512, "cpu"), steps)


def _both() -> list[str]:
    """The chains forward and backward, on rows so many that their parts are summed up as such."""
    from kernels import fused_chain, separate_chain
    from kernels.bench.experiments import each

    shapes = ((ROWS, 1280), (ROWS, 1280), (1280,), (1280,))
    given = [torch.zeros(*shape, dtype=torch.bfloat16).requires_grad_() for shape in shapes]

    def chains() -> None:
        for chain in (fused_chain, separate_chain):
            y = chain(*given)
            torch.autograd.grad(y, given, torch.ones_like(y))

    return _late(each.both(given[0].detach()), chains)


def _forward() -> list[str]:
    """The chains forward alone, without statistics."""
    from kernels import fused_chain, separate_chain
    from kernels.bench.experiments import each

    given = [torch.zeros(*shape) for shape in ((3, 1024), (3, 1024), (1024,), (1024,))]
    chains = (fused_chain, separate_chain)
    return _late(each.forward(given[0][:1], save=False), lambda: [one(*given) for one in chains])


def main() -> None:
    """Compile."""
    stand_in(_Noted)
    from kernels.bench.experiments import together

    # Two threads that start the same function for the first time may each give Triton a place to
    # keep it, of which one is lost: it is then found on the disk, and would seem compiled late.
    together.AT_ONCE = 1
    torch.cuda.synchronize = lambda: None
    found = {model: _share(model) for model in ("quartznet", "conformer")}
    assert compiled, "nothing was seen to be compiled, so nothing late would be"
    print(json.dumps(found | {"both": _both(), "forward": _forward()}))


if __name__ == "__main__":
    main()
