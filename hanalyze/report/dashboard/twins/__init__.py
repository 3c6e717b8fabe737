"""Code that exists in Python and in JavaScript, because the page filters without a server.

`rates`: from sums to rates and intervals. `rows`: from the sums of cells to the rows of a figure.
`multiplicity`: tests of all claims of a page together. `sentences`: from rows to sentences. `slots`: from
rows to the slots of a chart. Charts, sentences and questions are declared once, in Python; a test in a
browser compares the twins.
"""
