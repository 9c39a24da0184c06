"""How the networks that the checker ships were made, and how to make others.

The *network*, which looks for all claims at once:

1. `start`: all-MiniLM-L6-v2's weights, in 8 bits, as a file to carry to a GPU.
2. `branches`: a trunk, four folds and two more, each on 64 composed answers a
   step (an H200 shared with others, 129 s: 105 and 2,240 steps); their mean.
3. `branches --further`: from that mean six branches with all the answers, at a
   rate of 7e-5 (110 s, 1,542 steps); their mean.
4. `refine`: from that mean, on two processor cores shared with others and with
   twice as many answers, 800 steps of 32 at a rate of 8e-5 (45 minutes).
5. `export` with START REFINED REFINED: their mean, one part to two, as 8-bit ONNX, 24 MB.

The *verifier*, which reads one claim and the answer's words together, on the same
two cores:

1. `shipped`: the network's weights before step 4, read back from its file.
2. `verify`: 2,700 steps of 32 pairs in two goes, at a rate of 8e-5 (57 minutes).
3. `export_verifier`: 8-bit ONNX, 12 MB; the words' embeddings stay in the network's file.

A network exported anew needs its verifier exported anew. The checker loads no file that
differs from its sum: in content/network, after either,
`sha256sum network.onnx verifier.onnx vocab.txt > SHA256SUMS`.

The bars in app/domain/checking/weighing.py come from the development answers and from the
seen ones that lines.py keeps back from all training. The fragments lie in
content/network/fragments, the answers in tests/checking. `ngrams` is the light
design to compare with.
"""
