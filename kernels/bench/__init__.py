"""The benchmark: a program that prints one JSON object a line (python -m kernels.bench --help)."""
