"""Puzzles from recorded games: positions in which the evidence clearly separates the right moves.

`search` draws games, and `candidates.sql` finds candidate turns in them. `moves` interprets every legal
move of a turn, `verdicts` judges the moves, `selection` keeps the turns whose right answers stand out
clearly, and `search` repeats this until there are enough puzzles.
"""
