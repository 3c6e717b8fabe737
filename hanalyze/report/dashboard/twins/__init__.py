"""Code that exists both in Python and in JavaScript, because the page filters without a server.

`rates` computes rates and intervals from sums. `rows` computes the rows of a figure from the sums of cells.
`multiplicity` tests all claims of a page together. `sentences` writes sentences from rows, and `slots` fills
the slots of a chart from rows. Charts, sentences and questions are declared only in Python. A browser test
compares both versions.
"""
