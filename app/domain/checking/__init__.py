"""Checking an answer: which key points it makes, which pitfalls it falls into, by which words.

Two signs that know nothing of each other:

- the *grammar* (words, cues, stance, grammar; likeness for claims without cues)
  finds a card's cues and weighs who says them: denied, quoted, hedged, taken back;
- the *network* (wordpiece, network) reads the whole answer once and compares
  each of its words, in context, with the sentences that a card gives for a claim.

check.py weighs both. A pitfall is flagged where both say so; where one does it is
'possible, you judge'. A key point is covered where the network is fairly sure, or
less sure and the grammar agrees. Of a subject that it wasn't trained on the
network says nothing, and the grammar alone covers, rejects or says 'possible'.

The designs on the same 345 answers that nothing was learned from (30 November
2026; `python -m tests.checking.designs`, columns as in tests/checking/quality.py; the
n-grams on 166 of them):

    design                 pitfalls flagged    falsely flagged    key points: F1
                           precision  recall   rejects   silent    worst   mean
    hashed n-grams            0.68     0.24     4.7 %     0.6 %     0.30   0.60
    grammar alone             0.55     0.72    24.5 %     3.7 %     0.29   0.53
    network alone             0.85     0.85     5.6 %     1.3 %     0.84   0.88
    both (this)               0.95     0.59     1.6 %     0.1 %     0.82   0.89

'Flagged' or 'possible' finds 0.93. Missed of what is aimed at: recall of 'flagged' 0.80,
1 % of rejecting answers flagged, F1 of each key point 0.85 and on average 0.90, and the
precision of 'flagged', 0.95, by two thousandths. On a card of a subject that the network does not
know, with sentences alone, key points have precision 1.00 and recall 0.44 (27
answers, tests/checking/second_card.py), and pitfalls are hardly found: cues help.

Where the network comes from: tests/checking/training.
"""
