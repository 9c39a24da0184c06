"""The shapes, dtypes and directions that `limits` measures. No GPU is touched here."""

from dataclasses import replace

from kernels.bench.protocol import Request

DIRECTIONS = ("forward", "backward")
MODES = ("default", "max-autotune-no-cudagraphs")
"""Of torch.compile; "compiled" is the faster of those measured, case by case."""

BARS_OF_THEIR_OWN = 8192  # the features past which rows have such
SHAPES = ((48_000, 1280), (47_968, 1024), (256_000, 512), (32_000, 768), (16_384, 4096),
          (16_384, 8192), (8192, 16_384), (4096, 32_768))  # fmt: skip
VOLUME = 1 << 26
EVEN_FEATURES = (128, 256, 384, 640, 1000, 1152, 1536, 2304, 2560, 3584, 5120, 7168, 8192,
                 12_288, 20_000, 65_536)  # fmt: skip
OTHERS = (
    {"dtype": "fp16"}, {"norm": "rms"}, {"activation": "gelu_tanh"}, {"activation": "silu"},
    {"activation": "relu"}, {"activation": "identity"},
)  # fmt: skip
OTHERS_SHAPES = ((48_000, 1280), (16_384, 4096))


def requests() -> list[Request]:
    """Every case of the table: an encoder's rows first, long ones last."""
    cases = [
        Request(rows, features, dtype=dtype, direction=direction).checked()
        for dtype in ("bf16", "fp32")
        for rows, features in SHAPES
        for direction in (*DIRECTIONS, "both")
    ]
    return sorted(cases, key=lambda request: request.features > BARS_OF_THEIR_OWN)


def others() -> list[Request]:
    """The other dtypes, norms and activations, at two of the table's shapes, each way."""
    return [
        replace(Request(rows, features, direction=direction), **how)
        for how in OTHERS
        for rows, features in OTHERS_SHAPES
        for direction in DIRECTIONS
    ]


def even() -> list[Request]:
    """Rows of many lengths, VOLUME elements in all."""
    return [
        Request(VOLUME // features, features, dtype=dtype, direction=direction)
        for dtype in ("bf16", "fp32")
        for direction in DIRECTIONS
        for features in EVEN_FEATURES
    ]
