"""How the network that the checker ships was made, and how to make another.

1. `start`: all-MiniLM-L6-v2's weights, in 8 bits, as a file to carry to a GPU.
2. `branches`: a trunk, four folds and two more, each on 64 composed answers a
   step (an H200 shared with others, 129 s: 105 and 2,240 steps); their mean.
3. `branches --further`: from that mean six branches with all the answers, at a
   rate of 7e-5 (110 s, 1,542 steps); their mean.
4. `export`: 8-bit ONNX, 24 MB.

The bars in app/domain/checking/check.py come from what the folds of step 2 read of the
answers that each had not seen. The fragments lie in content/network/fragments,
the answers in tests/checking. `ngrams` is the light design to compare with.
"""
