"""Bytes and FLOPs of the chain's stages, of the fused chain, and of torch.add beside them."""

from kernels import arithmetic, traffic


def counts(chain: traffic.Chain) -> dict[str, tuple[int, int]]:
    """{name: (bytes, FLOPs)} of a forward; a stage's FLOPs are what the chain lacks without it."""
    whole = arithmetic.flops(chain, "fused", "forward")
    bare = traffic.Chain(chain.rows, chain.features, chain.dtype, activation="identity")
    norm = arithmetic.flops(bare, "fused", "forward") - chain.elements
    bytes_ = [stage.bytes for stage in traffic.ledger(chain, "separate", "forward")]
    return {
        "peak_add": (3 * chain.tensor_bytes, chain.elements),
        "norm": (bytes_[0], norm),
        "activation": (bytes_[1], whole - norm - chain.elements),
        "add": (bytes_[2], chain.elements),
        "fused": (traffic.total_bytes(chain, "fused", "forward"), whole),
    }
