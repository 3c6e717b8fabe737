"""Upper bounds on the score of a position, fast and never too low, and a heuristic rating of positions.

Most bounds use a *pooled* game: one player draws every card and may play any card, one per turn, and clues
are free. The pooled game can reach every score that the real game can reach.
"""

from __future__ import annotations

from typing import Annotated, Final

from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import drop_lowest, popcount
from hanalyze.kernels.record import Record, Row
from hanalyze.solver.state import POOLED, Setting, State, closure, copy_state, fitting, settle

kernel_module(__name__)

HANDS_FULL: Final = -2  # result of `spare_turns` if hands would have to keep too many cards

_WAITING: Final = 64  # maximum number of pending cases that `squeezed_out` stores
_CASES: Final = 100  # maximum number of cases that `squeezed_out` examines
_TURNS: Final = 64  # turns that `too_slow` looks ahead


class Squeeze(Record):
    """Scratch space of `squeezed_out`, `too_slow` and the last round. Written by `bounds`."""

    # Pending cases of `squeezed_out`: next card, spare turns, points, mask of the cards drawn and kept.
    order: Annotated[Row, _WAITING]
    spare: Annotated[Row, _WAITING]
    plays: Annotated[Row, _WAITING]
    have: Annotated[Row, _WAITING]
    drawn: Annotated[Row, _TURNS + 1]  # most cards that can be drawn in the next n turns, indexed by n
    played: Annotated[Row, 8]  # cards played before each turn of the last round
    open: Annotated[Row, 8]  # cards still to be tried on each turn of the last round
    best: Annotated[Row, 8]  # `played` in the best line found, with the end of the game as last entry


def most_in_time(setting: Setting, state: State) -> int:
    """Return the most points that the cards and the number of turns left allow."""
    left = setting.cards - state.drawn
    turns = left + setting.seats if left else state.left
    return min(popcount(state.reach), popcount(state.played) + turns)


def spare_turns(setting: Setting, state: State) -> int:
    """Return -1 (or `HANDS_FULL`) if the pooled game cannot reach the goal, else `2 * turns + squeezed`.

    `turns` is the number of turns left over after plays and turns without a playable card. `squeezed` is 1 if
    at some point all cards in hands are needed and none is playable, so that one of them must be discarded.
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
                unplayable = have & need & ~can
                if popcount(unplayable) >= slots:
                    squeezed = 1
                    if popcount(unplayable & ~setting.ahead[order]) >= slots:
                        return HANDS_FULL
        card = setting.deck[order]
        if not have & card:
            have |= card
            if fitting(setting, can) & card:
                can = closure(setting, can, have)
                size = popcount(can)
    return 2 * spare + squeezed


def squeezed_out(setting: Setting, state: State, room: Squeeze) -> bool:
    """Return whether the pooled game cannot reach the goal, whichever needed cards are discarded.

    The goal must need every card that can still be played. Returns False if there are too many choices.
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
                unplayable = have & need & ~can
                if spare < 0:
                    break
                if popcount(unplayable) >= slots:
                    goes_on = False
                    break
            have |= setting.deck[order]
            can = closure(setting, can, have)
            order += 1
        if goes_on:
            continue
        rest = unplayable & setting.ahead[order]
        while rest:
            card = rest & -rest
            rest = drop_lowest(rest)
            if _better_to_drop(setting, unplayable, card, order):
                continue
            if waiting == _WAITING:
                return False
            room.order[waiting] = order + 1
            room.spare[waiting] = spare
            room.plays[waiting] = plays
            room.have[waiting] = have & ~card | setting.deck[order]
            waiting += 1
    return waiting == 0


def _better_to_drop(setting: Setting, unplayable: int, card: int, order: int) -> bool:
    """Return whether discarding a higher card of the suit is better, because its copy is drawn earlier."""
    next_copy = order
    while setting.deck[next_copy] != card:
        next_copy += 1
    higher = card << 1
    while not higher & (setting.starts | POOLED):
        if higher & unplayable:
            for other in range(order, next_copy):
                if setting.deck[other] == higher:
                    return True
        higher <<= 1
    return False


def too_slow(setting: Setting, state: State, room: Squeeze) -> bool:
    """Return whether the goal is out of reach because too many turns must pass without a play.

    Every turn is a play, a clue or a discard. The draws and the turns of the last round that are not needed
    for plays may be discards. Each discard pays for clues, and so does a completed stack. If more turns pass
    without a play than these discards and clues can fill, the goal is out of reach, provided that no line has
    more plays in these turns than are counted here.

    A play must meet two conditions. First, the card below must have been possible on an earlier turn. Second,
    the card must be available: the player to move has it, or every player counts as having it, because it is
    in two hands or was drawn at least a round ago. The number of drawn cards is at most the number of turns,
    and at most the number of plays and discards. Each card is played once. A player with several available
    cards plays the card that becomes available to all players last: a line that plays another of them first
    can swap the two, and a line that omits this card can play it instead, without losing a play. The greedy
    choice therefore gives at least as many plays as any line, turn by turn.
    """
    plays_left = setting.goal - popcount(state.played)
    spare = setting.cards - state.drawn + setting.seats - plays_left
    once = 0
    everywhere = 0
    for seat in range(setting.seats):
        everywhere |= once & state.hands[seat]
        once |= state.hands[seat]
    possible = state.played
    played = state.played
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
        choice = ready & ~played
        possible |= ready
        if choice:
            played |= _last_to_spread(setting, choice, everywhere, state.drawn + released)
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
    """Return the card of `choice` that becomes available to all players last; card `order` is the next."""
    choices = choice & ~everywhere
    if not choices:
        return choice & -choice
    never = choices & ~setting.ahead[order]
    if never:
        return never & -never
    while choices & (choices - 1):
        if choices & ~setting.deck[order]:
            choices &= ~setting.deck[order]
        order += 1
    return choices


def finish(setting: Setting, state: State, room: Squeeze) -> int:
    """Return the best final score once the deck is empty, and write the best line to `room.best`.

    Each player has at most one turn left. A player who can play never gains by passing.
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
                for index in range(turns + 1):
                    room.best[index] = room.played[index]
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
    """Set `to` to the best position that is possible when card `order` is the next card to be drawn.

    At best, every playable card has been played, every earlier draw gained a token, and any player may play
    any card, except cards whose only copy is in a hand now. A line with fewer plays by then can be imitated
    from `to`, with discards for its late plays. If `to` cannot be won, whoever moves, the game cannot be won.
    """
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
    # The holder of the only copy has to play it.
    only = once & ~twice & ~loose & ~setting.ahead[order]
    for seat in range(setting.seats):
        to.hands[seat] = state.hands[seat] & only
    to.pool = POOLED | loose | once & ~only
    to.drawn = order
    to.tokens = min(setting.full_tokens, state.tokens + order - state.drawn)
    to.strikes = 0
    to.seat = 0
    settle(setting, to)


# --- Rating: contribution of one unit of each feature. The weights were chosen by hand.
_POINT: Final = 60
_TOKEN: Final = 24
_SPARE_TURN: Final = 26  # a turn to spare in the pooled game, up to six
_PACE: Final = 6  # a discard that the deck allows, up to twelve
_NEEDED: Final = 10  # a needed card in a hand
_FITTING: Final = 10  # a kind of card that fits a stack and is in some hand
_MOVER: Final = 14  # a player with a card that fits
_MAY_PLAY: Final = 10  # the player to move has a card that fits
_MAY_DISCARD: Final = 6  # otherwise, the player to move may discard trash
_ONLY_COPY: Final = -8  # a needed card with no other copy in hands or deck
_LOCKED: Final = -30  # a hand of needed cards without a card that fits
_RUN: Final = -4  # two consecutive cards in one hand, which its holder needs two turns to play
_NO_TOKEN: Final = -10
_UNDERWAY: Final = 8  # a point that the cards in hands allow
_TWICE: Final = -8  # a needed card in two hands
_TIGHT: Final = -40  # each spare turn short of two


def rating(setting: Setting, state: State, spare: int) -> int:
    """Return the rating, higher for better positions; the pooled game has `spare` turns to spare."""
    fits = fitting(setting, state.played)
    score = popcount(state.played)
    once = state.pool & ~POOLED
    twice = 0
    total = _POINT * score + _TOKEN * state.tokens // setting.unit
    total += _SPARE_TURN * min(spare, 6) + _TIGHT * max(0, 2 - spare)
    total += _PACE * min(setting.cards - state.drawn + setting.seats - setting.goal + score, 12)
    for seat in range(setting.seats):
        hand = state.hands[seat]
        twice |= once & hand
        once |= hand
        size = popcount(hand)
        total += _NEEDED * size + _RUN * popcount(hand & hand << 1 & ~setting.starts)
        if hand & fits:
            total += _MOVER
        elif size == setting.hand_size:
            total += _LOCKED
    mine = state.hands[state.seat]
    if (mine | state.pool) & fits:
        total += _MAY_PLAY
    elif popcount(mine) < setting.hand_size and state.tokens < setting.full_tokens:
        total += _MAY_DISCARD
    if state.tokens < setting.unit:
        total += _NO_TOKEN
    total += _FITTING * popcount(once & fits) + _TWICE * popcount(twice)
    total += _ONLY_COPY * popcount(once & ~twice & ~setting.ahead[state.drawn])
    total += _UNDERWAY * (popcount(closure(setting, state.played, once)) - score)
    return total
