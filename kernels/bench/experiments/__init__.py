"""The programs that measure, one module for each experiment of kernels/lab."""
