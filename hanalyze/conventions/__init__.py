"""Meanings of moves under the H-Group's conventions (https://hanabi.github.io), and their outcomes.

A meaning depends only on the action and the state before it, never on later turns; the outcome is written
once a later turn settles it. Conventions above the requested level are not read.
`run.read_games` reads many games; `reader.read_action` reads one action of a running game.

Terms: a gotten card was clued, called to be played blind, or named by a discard. A reading is a possible
identity of a clue's focus. The missing card is the next card that must be played before the focus. A chain
consists of steps, the cards that a message calls; the open step is the next one to be played; a layer is an
unclued card to be played in front of the missing card. A deep chain is unlikely to come true. A new card was
not touched by an earlier clue; a free card is neither gotten nor chop moved; a bad card is trash or a copy
of a gotten card. A third player is neither the giver nor the receiver. Turns and seats count from 0; cards
are numbered by their order in the deck. A set of cards is a mask with bit `order`, a set of identities a mask
with bit `suit * 8 + rank`. A parameter `number` is an identity: unless the docstring says otherwise, that of
the clue's focus or of the card that leaves the hand.
"""
