"""Puzzles from recorded games: positions in which the evidence clearly separates the right moves.

`game_sample` draws games, and `candidates.sql` finds turns in them that may be puzzles. `moves` reads every
legal move of a turn, `verdicts` judges them, `selection` keeps the turns whose right answers are clearly
apart, and `search` repeats this until there are enough puzzles.
"""
