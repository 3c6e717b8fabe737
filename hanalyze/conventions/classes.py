"""Sets of conventions, as masks with bit n for convention n."""

from __future__ import annotations

from typing import Final

from hanalyze.game.meanings import Convention
from hanalyze.kernels.compiling import kernel


def set_of(first: Convention, *more: Convention, to: Convention | None = None) -> int:
    """Return a mask of the conventions from `first` to `to` (by default only `first`) and `more`.

    >>> bin(set_of(Convention.PLAY_CLUE, Convention.TWO_SAVE))
    '0b10010'
    """
    run = range(first, (first if to is None else to) + 1)
    return sum(1 << one for one in {*run, *more})


SAVES: Final = set_of(Convention.FIVE_SAVE, to=Convention.CRITICAL_SAVE)
"""Clues that save their focus."""
BLUFFS: Final = set_of(Convention.BLUFF, Convention.SELF_BLUFF)
"""Bluffs; a named kind of bluff (`BLUFF_KINDS`) is a further meaning of the clue."""
BLUFF_KINDS: Final = set_of(Convention.THREE_BLUFF, to=Convention.GOOD_TOUCH_BLUFF)
FINESSE_KINDS: Final = set_of(Convention.CLANDESTINE_FINESSE, Convention.NO_INFORMATION_FINESSE)
"""Further meanings of a finesse."""
FURTHER: Final = BLUFF_KINDS | FINESSE_KINDS | set_of(Convention.ELIMINATION, to=Convention.TRASH_TOUCH)
"""Further meanings of a clue."""
OFFERED: Final = 63
"""Conventions below this number have a bit in the first 64-bit mask, all others in a second mask."""
TRASH_SIGNALS: Final = set_of(Convention.TRASH_FINESSE, to=Convention.UNKNOWN_TRASH_DISCHARGE)
"""Clues that another player's blind play shows to be about trash."""
SIGNALS: Final = TRASH_SIGNALS | set_of(Convention.FIVE_COLOUR_EJECTION, Convention.FOUR_CHARM)
"""Clues that call the card on a certain finesse position to be played immediately, whatever its identity."""
BLIND_CALLS: Final = (
    set_of(
        Convention.SELF_FINESSE, Convention.FINESSE, Convention.REVERSE_FINESSE, to=Convention.LAYERED_FINESSE
    )
    | BLUFFS
    | SIGNALS
)
"""Clues that call cards to be played blind."""
PUSHES: Final = set_of(
    Convention.TRASH_PUSH,
    Convention.FIVE_PULL,
    Convention.CHOP_MOVE_IGNITION,
    Convention.REVERSE_TRASH_FINESSE,
)
"""Clues that call untouched cards, and not their focus."""
MARKING: Final = set_of(Convention.TRASH_CHOP_MOVE, Convention.TRASH_PUSH, Convention.REVERSE_TRASH_FINESSE)
"""Clues that immediately mark the newly touched cards as trash."""
AT_ONCE: Final = SIGNALS | set_of(
    Convention.POSITIONAL_DISCARD,
    Convention.POSITIONAL_MISPLAY,
    Convention.BLAZE_DISCARD,
    Convention.CHOP_MOVE_IGNITION,
)
"""Messages that called players answer on their next turn, or never."""
CLUES: Final = (
    set_of(Convention.PLAY_CLUE, to=Convention.DISTRIBUTION_CLUE)
    | FURTHER
    | SIGNALS
    | PUSHES
    | set_of(Convention.OUT_OF_ORDER_CLUE)
)
"""Conventions of clues."""
CALLS: Final = (
    set_of(Convention.PLAY_CLUE, Convention.DELAYED_PLAY_CLUE)
    | set_of(Convention.PROMPT, to=Convention.SELF_BLUFF)
    | set_of(Convention.TEMPO_CLUE, Convention.TEMPO_CLUE_STALL)
)
"""Clues that call their focus to be played, now or after other cards."""
GETTING: Final = set_of(Convention.PLAY_CLUE, to=Convention.TEMPO_CLUE)
"""Clues that rule out stalls: no stall is allowed if one of them gets a card without bad touch."""
STALLS: Final = set_of(
    Convention.FIVE_STALL, Convention.TEMPO_CLUE_STALL, Convention.FILL_IN, to=Convention.HARD_BURN
)
"""Clues that are allowed only if there is no better clue."""
NAMING: Final = set_of(Convention.SARCASTIC_DISCARD, Convention.BLAZE_DISCARD, to=Convention.BATON_DISCARD)
"""Discards that name a copy of the card in another hand."""
EMERGENCIES: Final = set_of(Convention.SCREAM_DISCARD, to=Convention.GENERATION_DISCARD)
"""Discards that protect another player's chop."""
URGENT: Final = (
    SAVES
    | EMERGENCIES
    | set_of(
        Convention.FIX_CLUE, Convention.BLIND_PLAY, Convention.TRASH_CHOP_MOVE, Convention.FIVE_CHOP_MOVE
    )
)
"""Actions urgent enough to excuse a player from another save or fix."""
KEEPING: Final = EMERGENCIES | set_of(
    Convention.TRASH_CHOP_MOVE,
    Convention.FIVE_CHOP_MOVE,
    Convention.TEMPO_CHOP_MOVE,
    Convention.ORDER_CHOP_MOVE,
)
"""Actions whose main meaning is to protect a chop."""
SILENT_MOVES: Final = set_of(Convention.PLAIN_PLAY, Convention.PLAIN_DISCARD)
"""Moves without a message."""
MESSAGES: Final = set_of(Convention.PLAY_CLUE, to=Convention.POSITIONAL_MISPLAY) | CLUES | NAMING
"""All conventions except unexplained actions, answers to calls, deferrals, and silent moves."""


_BEFORE_FILL_INS: Final = set_of(Convention.FIVE_STALL, Convention.TEMPO_CLUE_STALL)
_BEFORE_BURNS: Final = _BEFORE_FILL_INS | set_of(
    Convention.FILL_IN, Convention.LOCKED_HAND_SAVE, Convention.EIGHT_CLUE_SAVE
)


@kernel
def better_stalls(convention: int) -> int:
    """Return the stalls that take precedence over a stall, as a mask.

    >>> [one.label for one in conventions_in(better_stalls(Convention.FILL_IN))]
    ['tempo_clue_stall', 'five_stall']
    """
    if convention == Convention.HARD_BURN:
        return _BEFORE_BURNS
    if convention in (Convention.FILL_IN, Convention.LOCKED_HAND_SAVE, Convention.EIGHT_CLUE_SAVE):
        return _BEFORE_FILL_INS
    return 0


@kernel
def is_any(convention: int, conventions: int) -> bool:
    """Return whether a convention below `OFFERED` is in a set; False for all other conventions.

    Compiled code has no masks of more than 63 bits; `conventions_in` lists all conventions of a set.

    >>> is_any(Convention.BLUFF, BLUFFS), is_any(Convention.BLUFF, SAVES)
    (True, False)
    """
    return convention < OFFERED and conventions >> convention & 1 != 0


def conventions_in(conventions: int) -> tuple[Convention, ...]:
    """Return the conventions of a set, in order.

    >>> [one.label for one in conventions_in(SAVES)]
    ['five_save', 'two_save', 'critical_save']
    """
    return tuple(one for one in Convention if conventions >> one & 1)
