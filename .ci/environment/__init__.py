"""How .venv comes about: the locked packages by hash, then PyTorch as this machine can use it.

Standard library only, since nothing else is installed when it runs. `main` is the order of the
steps, `stamp` tells a finished environment from a broken one, `install` makes the environment,
`torch_build` picks the PyTorch, and `failure` turns what went wrong into one sentence.
"""
