"""Upper bounds on the score of a position: fast, and never too low.

All but the last look at a *pooled* game: one player draws every card, may play any of them, one a turn, and
clues are free. Whatever the real game can do, the pooled game can.

The last bound looks at the end of the deck alone. Suppose that card `i` is the next to be drawn: at best,
everything playable has been played, every earlier draw brought a token, and any player may play any card
except those whose only copy is in a hand now. A player who plays less before then is copied by discarding. If
no turn order wins from there, the game cannot be won.

`too_slow` looks at whose turn it is: a player without a playable card must clue or discard, and both are
limited.
"""

from __future__ import annotations

from typing import Annotated, Final

from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import drop_lowest, popcount
from hanalyze.kernels.record import Record, Row
from hanalyze.solver.state import POOLED, Setting, State, closure, copy_state, fitting, settle

kernel_module(__name__)

HANDS_FULL: Final = -2
"""What `spare_turns` returns where too many cards would have to be kept."""

_WAITING: Final = 64  # cases that `squeezed_out` keeps
_CASES: Final = 100  # cases examined before it gives up
_TURNS: Final = 64  # turns ahead that `too_slow` looks


class Squeeze(Record):
    """Scratch space of `squeezed_out`, `too_slow` and the last round. Written by `bounds`."""

    order: Annotated[Row, _WAITING]
    spare: Annotated[Row, _WAITING]
    plays: Annotated[Row, _WAITING]
    have: Annotated[Row, _WAITING]
    drawn: Annotated[Row, _TURNS + 1]  # by number of turns from now, the most cards that can be drawn in them
    played: Annotated[Row, 8]  # by turn of the last round, the cards played before it
    open: Annotated[Row, 8]  # by turn of the last round, the cards that are still to be tried there
    best: Annotated[Row, 8]  # the same in the best line found, with the end of the game as last entry


def most_in_time(setting: Setting, state: State) -> int:
    """Return the most points that the cards and the number of turns left allow."""
    left = setting.cards - state.drawn
    turns = left + setting.seats if left else state.left
    return min(popcount(state.reach), popcount(state.played) + turns)


def spare_turns(setting: Setting, state: State) -> int:
    """Return -1 (or `HANDS_FULL`) if the pooled game cannot reach the goal, else `2 * turns + squeezed`.

    `turns` can be spent on anything but plays; `squeezed` is 1 if at some moment no card in any hand fits and
    all of them are needed, so that a needed card must go.
    """
    if popcount(state.reach) < setting.goal:
        return -1
    plays = popcount(state.played)
    spare = setting.cards - state.drawn + setting.seats - (setting.goal - plays)
    if spare < 0:
        return -1
    have = state.pool & ~POOLED
    for seat in range(setting.seats):
        have |= state.hands[seat]
    need = state.reach & ~state.played
    exact = popcount(state.reach) == setting.goal and not state.pool & POOLED
    slots = setting.seats * setting.hand_size
    squeezed = 0
    can = closure(setting, state.played, have)
    size = popcount(can)
    for order in range(state.drawn, setting.cards):
        if plays >= setting.goal:
            break
        if size > plays:
            plays += 1
        else:
            spare -= 1
            if spare < 0:
                return -1
            if exact:
                held = have & need & ~can
                if popcount(held) >= slots:
                    squeezed = 1
                    if popcount(held & ~setting.ahead[order]) >= slots:
                        return HANDS_FULL
        card = setting.deck[order]
        if not have & card:
            have |= card
            if fitting(setting, can) & card:
                can = closure(setting, can, have)
                size = popcount(can)
    return 2 * spare + squeezed


def squeezed_out(setting: Setting, state: State, room: Squeeze) -> bool:
    """Return whether the goal is out of reach of the pooled game in every choice of needed cards to let go.

    Only for goals that need every card that can still be played; False where the choices are too many.
    """
    slots = setting.seats * setting.hand_size
    need = state.reach & ~state.played
    room.order[0] = state.drawn
    room.plays[0] = popcount(state.played)
    room.spare[0] = setting.cards - state.drawn + setting.seats - (setting.goal - room.plays[0])
    room.have[0] = 0
    for seat in range(setting.seats):
        room.have[0] |= state.hands[seat]
    waiting = 1
    for _ in range(_CASES):
        if waiting == 0:
            return True
        waiting -= 1
        order, spare = room.order[waiting], room.spare[waiting]
        plays, have = room.plays[waiting], room.have[waiting]
        can = closure(setting, state.played, have)
        goes_on = True
        while goes_on:
            if plays >= setting.goal or order == setting.cards:
                return False
            if popcount(can) > plays:
                plays += 1
            else:
                spare -= 1
                held = have & need & ~can
                if spare < 0:
                    break
                if popcount(held) >= slots:
                    goes_on = False
                    break
            have |= setting.deck[order]
            can = closure(setting, can, have)
            order += 1
        if goes_on:
            continue
        rest = held & setting.ahead[order]
        while rest:
            card = rest & -rest
            rest = drop_lowest(rest)
            if _better_to_drop(setting, held, card, order):
                continue
            if waiting == _WAITING:
                return False
            room.order[waiting] = order + 1
            room.spare[waiting] = spare
            room.plays[waiting] = plays
            room.have[waiting] = have & ~card | setting.deck[order]
            waiting += 1
    return waiting == 0


def _better_to_drop(setting: Setting, held: int, card: int, order: int) -> bool:
    """Return whether a later card of the same stack is held whose next copy comes no later."""
    next_copy = order
    while setting.deck[next_copy] != card:
        next_copy += 1
    higher = card << 1
    while not higher & (setting.starts | POOLED):
        if higher & held:
            for other in range(order, next_copy):
                if setting.deck[other] == higher:
                    return True
        higher <<= 1
    return False


def too_slow(setting: Setting, state: State, room: Squeeze) -> bool:
    """Return whether the goal is out of reach because too many turns must pass without a play.

    Every turn is a play, a clue or a discard. Of the draws and the turns of the last round, all but the plays
    that are needed may be discards; each pays for clues, and so does a stack that is completed. What goes
    beyond that proves the goal out of reach, if no line has more plays in the turns until then than counted
    here. A play needs the card below to have been possible in a turn before, and the card at hand: in the
    hand of who is on turn, in two hands, where anybody counts as having it, or drawn a round ago, where
    anybody does, too; so many cards have been drawn at most as there were turns, and as there were plays and
    discards. A card is played once. Whoever has several to choose from does best to play the one that others
    come to have last: in any line that plays the two the other way round, or leaves this one out, they can be
    exchanged. So the first choice here gives as many plays as any line has, turn by turn.
    """
    plays_left = setting.goal - popcount(state.played)
    spare = setting.cards - state.drawn + setting.seats - plays_left
    once = 0
    everywhere = 0
    for seat in range(setting.seats):
        everywhere |= once & state.hands[seat]
        once |= state.hands[seat]
    possible = state.played
    counted = state.played
    waits = 0
    released = 0
    seat = state.seat
    room.drawn[0] = 0
    for turn in range(_TURNS):
        if turn >= setting.seats:
            while released < room.drawn[turn - setting.seats + 1]:
                everywhere |= setting.deck[state.drawn + released]
                released += 1
        ready = (possible | fitting(setting, possible)) & (state.hands[seat] | everywhere)
        choice = ready & ~counted
        possible |= ready
        if choice:
            counted |= _last_to_spread(setting, choice, everywhere, state.drawn + released)
            plays_left -= 1
            if plays_left == 0:
                return False
        else:
            waits += 1
            completed = setting.bonus * popcount(possible & setting.ends & ~state.played)
            if waits > spare + (state.tokens + spare + completed) // setting.unit:
                return True
        draws = min(turn + 1, turn + 1 - waits + spare)
        room.drawn[turn + 1] = min(draws, setting.cards - state.drawn)
        seat = seat + 1 if seat + 1 < setting.seats else 0
    return False


def _last_to_spread(setting: Setting, choice: int, everywhere: int, order: int) -> int:
    """Return the card of a choice that everybody comes to have last; `order` is the next to come."""
    kept = choice & ~everywhere
    if not kept:
        return choice & -choice
    never = kept & ~setting.ahead[order]
    if never:
        return never & -never
    while kept & (kept - 1):
        if kept & ~setting.deck[order]:
            kept &= ~setting.deck[order]
        order += 1
    return kept


def finish(setting: Setting, state: State, room: Squeeze) -> int:
    """Return the most points still possible with an empty deck; each player has at most one turn.

    The way there stands in `room.best`. Who can play never does better by passing.
    """
    turns = state.left
    most = -1
    turn = 0
    room.played[0] = state.played
    room.open[0] = -1
    while turn >= 0:
        played = room.played[turn]
        if turn == turns:
            score = popcount(played)
            if score > most:
                most = score
                for one in range(turns + 1):
                    room.best[one] = room.played[one]
            turn -= 1
            continue
        if popcount(played) + turns - turn <= most or room.open[turn] == 0:
            turn -= 1
            continue
        if room.open[turn] == -1:
            seat = (state.seat + turn) % setting.seats
            room.open[turn] = fitting(setting, played) & (state.hands[seat] | state.pool)
            if room.open[turn] == 0:
                room.played[turn + 1] = played
                room.open[turn + 1] = -1
                turn += 1
                continue
        card = room.open[turn] & -room.open[turn]
        room.open[turn] &= ~card
        room.played[turn + 1] = played | card
        room.open[turn + 1] = -1
        turn += 1
    return most


def set_up_end(setting: Setting, state: State, order: int, to: State) -> None:
    """Make `to` the best that the position can have come to when card `order` is the next to be drawn."""
    copy_state(state, to)
    once = 0
    twice = 0
    for seat in range(setting.seats):
        twice |= once & state.hands[seat]
        once |= state.hands[seat]
    loose = state.pool & ~POOLED
    for drawn in range(state.drawn, order):
        loose |= setting.deck[drawn]
    to.played = closure(setting, state.played, once | loose)
    # Whoever holds the only copy has to play it.
    only = once & ~twice & ~loose & ~setting.ahead[order]
    for seat in range(setting.seats):
        to.hands[seat] = state.hands[seat] & only
    to.pool = POOLED | loose | once & ~only
    to.drawn = order
    to.tokens = min(setting.full_tokens, state.tokens + order - state.drawn)
    to.strikes = 0
    to.seat = 0
    settle(setting, to)
