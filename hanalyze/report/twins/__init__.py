"""What stands in two languages, for the page filters without a server: each file has a twin in JavaScript.

`rates`: from sums to rates and intervals. `rows`: from the sums of cells to the rows of a figure. `filling`:
rows into the slots of a chart and of a sentence. Charts, sentences and questions themselves stand once, in
Python; a test in a browser holds the twins to each other.
"""
