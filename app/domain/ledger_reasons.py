"""Why each kernel of the chain reads and writes as many whole tensors as it does."""

WHY = {
    ("norm", "reads"): (
        "The row stays on the chip between its statistics and its scaling, so one trip does."
    ),
    ("norm", "writes"): "The next kernel can read h only from memory; mean and 1/std are small.",
    ("activation", "reads"): "It works element by element on h and needs nothing else.",
    ("activation", "writes"): "The add can read g only from memory.",
    ("add", "reads"): "A sum has two operands: the residual comes from memory like any tensor.",
    ("add", "writes"): "Two tensors go in, one comes out.",
    ("norm + activation + add", "reads"): (
        "h and g never leave the chip, but the residual was not made there: it has to be read."
    ),
    ("norm + activation + add", "writes"): "h and g are used where they are made and never stored.",
    ("activation backward", "reads"): (
        "The derivative depends on what the activation was given: h comes along with dy."
    ),
    ("activation backward", "writes"): (
        "Only dh is new: the residual's gradient is dy itself, and nothing is copied for it."
    ),
    ("norm backward", "reads"): (
        "The normalized row is worked out again from x and the kept statistics; dh was stored."
    ),
    ("norm backward", "writes"): "One gradient goes on to the layer before: dx.",
    ("whole backward", "reads"): (
        "h is worked out again on the chip from x and the kept statistics, so it is not read."
    ),
    ("whole backward", "writes"): "dh is used where it is made; the residual's gradient is dy.",
}
