"""What a move meant under the H-Group's conventions (https://hanabi.github.io), and whether it worked.

A meaning follows from the state before the action, never from later turns; an outcome is written by `calls`
once a later turn settles it. `run.read_games` reads many games, `reader.read_action` one action of a
running game.
"""
