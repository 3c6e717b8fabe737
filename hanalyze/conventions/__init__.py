"""What a move meant under the H-Group's conventions, what it offered, and whether it worked.

Four layers stand apart. FACT and KNOWLEDGE are the engine's. MEANING is here, in `clues` and `moves`
(plays and discards): from the state before an action, never from later turns. OUTCOME is what `calls` writes
when a later turn settles what a finding expects. `run.read_games` reads many games, `read.read_action` one
action of a running game.
"""
