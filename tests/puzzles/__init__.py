"""Puzzles from games."""
