"""Names shared by the benchmark and its readers."""

EXPERIMENTS = ("chain",)
