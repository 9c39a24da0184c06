"""A training step of an encoder with the chain in one of its ways, and its gradients."""

import torch

from kernels import fused_chain, separate_chain
from kernels.bench.experiments.depthwise import depthwise, exact_depthwise
from kernels.bench.experiments.encoder_parts import Ways
from kernels.bench.experiments.encoders import CLASSES, Encoder
from kernels.reference import eager_chain

SEED = 1
LEARNING_RATE = 1e-4
CHAINS = {"separate": separate_chain, "fused": fused_chain, "eager": eager_chain}


def encoder(model: str, width: int, way: str, device: str = "cuda") -> Encoder:
    """The encoder with the chain in this way, or "exact": everything by PyTorch. Same weights."""
    torch.manual_seed(SEED)
    convolve = exact_depthwise if way == "exact" else depthwise
    return Encoder(model, width, Ways(CHAINS.get(way, eager_chain), convolve)).to(device)


def inputs(batch: int, frames: int, width: int, device: str = "cuda") -> tuple:
    """(x [batch, frames, width] in bfloat16, letters [batch, frames])."""
    x = torch.randn(batch, frames, width, device=device, dtype=torch.bfloat16)
    return x, torch.randint(CLASSES, (batch, frames), device=device)


def optimizer_of(model: Encoder) -> torch.optim.Optimizer:
    """Fused AdamW that can be captured."""
    return torch.optim.AdamW(model.parameters(), LEARNING_RATE, fused=True, capturable=True)


def train(encoder, optimizer, x, letters) -> tuple:
    """One step; the loss, which is what it writes besides the weights."""
    optimizer.zero_grad(set_to_none=True)
    loss = encoder(x, letters)
    loss.backward()
    optimizer.step()
    return (loss.detach(),)


def loss_and_gradients(encoder, x, letters) -> dict:
    """{quantity: tensor}: the loss, the gradients of the chains' weights, those of all others."""
    loss = encoder(x, letters)
    loss.backward()
    named = list(encoder.named_parameters())
    return {
        "loss": loss.detach().reshape(1),
        "dweight, dbias of the chains": _flat(p.grad for name, p in named if ".chain." in name),
        "other gradients": _flat(p.grad for name, p in named if ".chain." not in name),
    }


def _flat(gradients):
    return torch.cat([gradient.double().flatten() for gradient in gradients])
