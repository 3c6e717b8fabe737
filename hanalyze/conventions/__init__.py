"""Meanings of moves under the H-Group's conventions (https://hanabi.github.io), and their outcomes.

A meaning depends only on the state before the action, never on later turns; `calls` writes the outcome once a
later turn settles it. `run.read_games` reads many games; `reader.read_action` reads one action of a running
game.
"""
