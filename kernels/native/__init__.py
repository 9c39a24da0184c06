"""The chain's kernels started from C++: built by build.py, used through calls.py."""
