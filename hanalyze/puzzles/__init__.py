"""Puzzles from recorded games: positions in which the evidence clearly separates the right moves."""
