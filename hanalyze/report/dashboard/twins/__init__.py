"""What stands in two languages, for the page filters without a server: each file has a twin in JavaScript.

`rates`: from sums to rates and intervals. `rows`: from the sums of cells to the rows of a figure. `claims`:
which differences are claims of the page. `saying`: rows into sentences. `filling`: rows into the slots of a
chart. Charts, sentences and questions themselves stand once, in Python; a test in a browser holds the twins
to each other.
"""
