"""Puzzles from recorded games: positions in which the evidence clearly separates the right moves.

`candidates.sql` finds turns that may be puzzles, `moves` reads every legal move of a turn, `judging` gives
the verdicts on them, `selection` keeps the turns whose right answers are clearly apart, and `making` gives
the puzzles of a database.
"""
