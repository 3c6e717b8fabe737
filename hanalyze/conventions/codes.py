"""The numbers that stand for conventions, steps, ends of chains and reasons, for compiled code.

In: nothing. Out: integers. People use the enumerations of `hanalyze.conventions.names`, which are made from
these numbers and say what each means.
"""

from __future__ import annotations

from typing import Final

# --- Conventions.
UNEXPLAINED: Final = 0
PLAY_CLUE: Final = 1
DELAYED_PLAY_CLUE: Final = 2
FIVE_SAVE: Final = 3
TWO_SAVE: Final = 4
CRITICAL_SAVE: Final = 5
PROMPT: Final = 6
FINESSE: Final = 7
REVERSE_FINESSE: Final = 8
SELF_PROMPT: Final = 9
SELF_FINESSE: Final = 10
DOUBLE_FINESSE: Final = 11
PROMPT_FINESSE: Final = 12
HIDDEN_FINESSE: Final = 13
LAYERED_FINESSE: Final = 14
BLUFF: Final = 15
SELF_BLUFF: Final = 16
FIX_CLUE: Final = 17
TEMPO_CLUE: Final = 18
TEMPO_CLUE_STALL: Final = 19
TEMPO_CHOP_MOVE: Final = 20
FILL_IN: Final = 21
BURN: Final = 22
FIVE_STALL: Final = 23
LOCKED_HAND_SAVE: Final = 24
EIGHT_CLUE_SAVE: Final = 25
HARD_BURN: Final = 26
TRASH_CHOP_MOVE: Final = 27
FIVE_CHOP_MOVE: Final = 28
TRASH_PUSH: Final = 29
DISTRIBUTION_CLUE: Final = 30
ORDER_OF_ONES: Final = 31
ORDER_CHOP_MOVE: Final = 32
SARCASTIC_DISCARD: Final = 33
GENTLEMANS_DISCARD: Final = 34
BATON_DISCARD: Final = 35
SCREAM_DISCARD: Final = 36
SHOUT_DISCARD: Final = 37
GENERATION_DISCARD: Final = 38
POSITIONAL_DISCARD: Final = 39
POSITIONAL_MISPLAY: Final = 40
BLIND_PLAY: Final = 41
PROMPTED_PLAY: Final = 42
DEFERRAL: Final = 43
PLAIN_PLAY: Final = 44
PLAIN_DISCARD: Final = 45
CONVENTIONS: Final = 46

# --- What a step of a chain asks of a card.
PROMPT_STEP: Final = 1
FINESSE_STEP: Final = 2
HIDDEN_PROMPT_STEP: Final = 3
LAYER_STEP: Final = 4
BLUFF_STEP: Final = 5

# --- What became of what a finding expects.
NOTHING_EXPECTED: Final = 0
OPEN: Final = 1
SUCCESS: Final = 2
FAILED: Final = 3
MISSED: Final = 4
STOMPED: Final = 5
BROKEN: Final = 6
SUPERSEDED: Final = 7
PASSED_BACK: Final = 8
CENSORED: Final = 9

# --- Reasons: bits.
BAD_TOUCH: Final = 1 << 0
DUPLICATE: Final = 1 << 1
NO_CHAIN: Final = 1 << 2
WRONG_PROMPT: Final = 1 << 3
UNREADABLE: Final = 1 << 4
SIMPLER_READING: Final = 1 << 5
STALL_NOT_ALLOWED: Final = 1 << 6
BETTER_CLUE: Final = 1 << 7
NO_VALUE: Final = 1 << 8
STOMP: Final = 1 << 9
UNSEEN_COPY_RULE: Final = 1 << 10
GUESS: Final = 1 << 11
PLAYABLE_HELD: Final = 1 << 12
TRASH_HELD: Final = 1 << 13
DOUBLE_DISCARD: Final = 1 << 14
OUT_OF_ORDER: Final = 1 << 15
MISPLAY: Final = 1 << 16
LEGAL_DEFERRAL: Final = 1 << 17
LATE: Final = 1 << 18
FINESSE_OR_BLUFF: Final = 1 << 19
HIDDEN_CARD: Final = 1 << 20
UNDEFINED_HERE: Final = 1 << 21
GIVERS_CARD: Final = 1 << 22
SAVE_MISSED: Final = 1 << 23
SAVE_LEFT: Final = 1 << 24

# --- Who is at fault for a misplay.
NO_MISPLAY: Final = 0
GIVER: Final = 1
PLAYER: Final = 2
THIRD: Final = 3
NOBODY: Final = 4
SHARED: Final = 5

# --- The rule by which that was decided.
NO_RULE: Final = 0
INTENDED: Final = 1
NO_MESSAGE: Final = 2
FALSE_CALL: Final = 3
BROKEN_CALL: Final = 4
WRONG_CARD: Final = 5
FALSE_CLUE: Final = 6
BAD_CARD: Final = 7
LATER_COPY: Final = 8
UNLUCKY: Final = 9
BROKEN_CHAIN: Final = 10
SAVE_MISREAD: Final = 11
NOT_AWAITED: Final = 12
GAMBLE: Final = 13
CONTRADICTION: Final = 14
