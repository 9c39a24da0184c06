"""How the network that the checker ships was made, and how to make another.

1. `train`: all-MiniLM-L6-v2, 3,000 steps of 48 composed answers, seed 1 (an H200, 154 s).
2. `refine`: 100 steps of 32 more on a CPU, upper two layers, after fragments were added.
3. `export`: 8-bit ONNX, 24 MB.

The fragments lie in content/network/fragments, the answers in tests/checking.
They have grown since, so the steps give a network as good or better, not the same.
`ngrams` is the light design that it is compared with.
"""
