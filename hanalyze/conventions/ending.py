"""Endgame search for moves that keep the most points within reach, by the cards that a player sees or knows.

The search is repeated for each combination of identities that the player's cards may have, up to 12
combinations. Cards that are not certainly useful count as unknown.
"""

from __future__ import annotations

from typing import Final

from hanalyze.conventions.state import LEVELS, ConventionState, Ending, is_undefined
from hanalyze.engine.game import PLAIN, Game
from hanalyze.engine.stacks import after_playing, fits_after
from hanalyze.game.cards import MAX_CARDS, RANK_SLOTS
from hanalyze.game.meanings import Fault
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import lowest, members, popcount

kernel_module(__name__)

NEAR: Final = 2
"""Maximum number of cards in the deck at which the search runs."""
DISCARD_BIT: Final = 6
CLUE_BIT: Final = 7
_HANDS: Final = 12
"""Maximum number of combinations for the player's hand; cards that would exceed it count as unknown."""


def _choices(state: ConventionState, order: int) -> int:
    """Return the possible identities of a card of the player to move if all are useful, otherwise 0."""
    view = state.turn_view
    belief = view.belief[order]
    return 0 if view.known_trash >> order & 1 or belief & ~view.needed else belief


def _count_hands(game: Game, state: ConventionState) -> int:
    """Return the number of combinations of identities to try for the useful cards of the player to move."""
    count = 1
    for order in game.hands[game.seat][: game.hand_len[game.seat]]:
        choices = popcount(_choices(state, order))
        if choices and count * choices <= _HANDS:
            count *= choices
    return count


def _assume_hand(game: Game, state: ConventionState, number: int) -> bool:
    """Assume the combination `number` (from 0) of `_count_hands`; return False if an identity repeats.

    If `number` is -1, only cards with one possible identity are known.
    """
    is_unsure = number < 0
    count = 1
    used = 0
    for order in game.hands[game.seat][: game.hand_len[game.seat]]:
        ids = _choices(state, order)
        choices = popcount(ids)
        state.ending.own[order] = -1
        if choices == 0 or count * choices > (1 if is_unsure else _HANDS):
            continue
        count *= choices
        place = number % choices
        number //= choices
        for identity in members(ids):
            if place == 0:
                state.ending.own[order] = identity
            place -= 1
        bit = 1 << state.ending.own[order]
        if used & bit and choices > 1:
            return False
        used |= bit
    return True


def _identity(game: Game, state: ConventionState, order: int) -> int:
    """Return a card's identity, -1 if unknown; the player to move has the assumed hand unless `is_open`."""
    if game.place[order] != game.seat or state.ending.is_open:
        return game.identity[order]
    return int(state.ending.own[order])


def _turns_after(game: Game, turns: int, draws: bool) -> int:
    """Return the value of `turns` after an action: -n while the deck has n cards, then the turns left."""
    if turns >= 0:
        return turns - 1
    if not draws:
        return turns
    return turns + 1 if turns < -1 else game.seats


def _push(
    ending: Ending, level: int, playable: int, played: int, turns: int, tokens: int, points: int
) -> None:
    ending.playable[level] = playable
    ending.played[level] = played
    ending.turns[level] = turns
    ending.tokens[level] = tokens
    ending.points[level] = points
    ending.tried[level] = 0


def _gained(game: Game, number: int) -> int:
    """Return the token units that a play of `number` gains: 1 for the last card of a stack, otherwise 0."""
    if game.variant.stack_kind == PLAIN:
        return 1 if fits_after(game, number) == 0 else 0
    following = number % RANK_SLOTS % game.variant.stack_size + 1
    return 1 if following == game.start_rank[number // RANK_SLOTS] else 0


def _next_move(game: Game, state: ConventionState, first: int, level: int) -> bool:
    """Try the next move at a depth; return False if the search skips it, such as a play that would fail.

    `first` is the seat to move at depth 0.
    """
    ending = state.ending
    seat = (first + level) % game.seats
    unit = game.variant.token_unit
    playable, played = ending.playable[level], ending.played[level]
    turns, tokens, points = ending.turns[level], ending.tokens[level], ending.points[level]
    tried = ending.tried[level]
    ending.tried[level] += 1
    size = game.hand_len[seat]
    if tried < size:
        order = game.hands[seat][tried]
        number = -1 if played >> order & 1 else _identity(game, state, order)
        if number < 0 or not playable >> number & 1:
            return False
        tokens += _gained(game, number)
        playable = after_playing(game, playable, number)
        left = _turns_after(game, turns, True)
        _push(ending, level + 1, playable, played | 1 << order, left, tokens, points + 1)
        return True
    if tried == size and (turns > 0 or tokens >= unit):
        rest = tokens - unit if turns < 0 else tokens
        _push(ending, level + 1, playable, played, _turns_after(game, turns, False), rest, points)
        return True
    if tried == size + 1 and turns < 0:
        _push(ending, level + 1, playable, played, _turns_after(game, turns, True), tokens + 1, points)
        return True
    return False


def _point_limit(game: Game, state: ConventionState) -> int:
    """Return an upper bound on the points from depth 0 on: those of all plays that the hands allow."""
    ending = state.ending
    if game.variant.stack_kind != PLAIN:
        # A stack may begin at several ranks, so the number of plays may depend on their order.
        return MAX_CARDS
    in_hand_ids = 0
    for seat in range(game.seats):
        for order in game.hands[seat][: game.hand_len[seat]]:
            number = -1 if ending.played[0] >> order & 1 else _identity(game, state, order)
            in_hand_ids |= 1 << number if number >= 0 else 0
    playable, points = ending.playable[0], ending.points[0]
    while playable & in_hand_ids:
        playable = after_playing(game, playable, lowest(playable & in_hand_ids))
        points += 1
    return points


def _most_points(game: Game, state: ConventionState, first: int) -> int:
    """Return the most points from depth 0 on, where the seat `first` is to move."""
    ending = state.ending
    best = ending.points[0]
    limit = _point_limit(game, state)
    level = 0
    while level >= 0 and best < limit:
        best = max(best, ending.points[level])
        size = game.hand_len[(first + level) % game.seats]
        # A turn scores at most one point, so the turns left may be too few to score more than `best`.
        too_few = 0 <= ending.turns[level] <= best - ending.points[level]
        if too_few or level == LEVELS - 1 or ending.tried[level] > size + 1:
            level -= 1
        elif _next_move(game, state, first, level):
            level += 1
    return best


def _compare(game: Game, state: ConventionState, move: int) -> None:
    """Record the move that led to the state at depth 0 if it is among the best so far."""
    ending = state.ending
    points = _most_points(game, state, (game.seat + 1) % game.seats)
    if points > ending.best:
        ending.best, ending.best_moves = points, 0
    if points == ending.best:
        ending.best_moves |= 1 << move


def _find_best_moves(game: Game, state: ConventionState) -> None:
    """Find the moves that keep the most points within reach with the assumed hand."""
    seat, unit, ending = game.seat, game.variant.token_unit, state.ending
    deck, tokens = game.cards - game.drawn, _tokens(game)
    drawn = _turns_after(game, -deck, True)
    ending.best = 0
    ending.best_moves = 0
    for slot in range(1, game.hand_len[seat] + 1):
        order = game.hands[seat][game.hand_len[seat] - slot]
        number = _identity(game, state, order)
        if number >= 0 and game.playable >> number & 1:
            after = after_playing(game, game.playable, number)
            _push(ending, 0, after, 1 << order, drawn, tokens + _gained(game, number), 1)
            _compare(game, state, slot - 1)
    if game.tokens < game.full_tokens:
        _push(ending, 0, game.playable, 0, drawn, tokens + 1, 0)
        _compare(game, state, DISCARD_BIT)
    if tokens >= unit:
        _push(ending, 0, game.playable, 0, -deck, tokens - unit, 0)
        _compare(game, state, CLUE_BIT)


def _tokens(game: Game) -> int:
    """Return the clue tokens in units, at most two rounds of them: passing for longer gains nothing."""
    return min(game.tokens, 2 * game.seats * game.variant.token_unit)


def _is_near(game: Game) -> bool:
    """Return whether the search runs: the deck has 1 to `NEAR` cards, and the variant is covered."""
    return 0 < game.cards - game.drawn <= NEAR and not is_undefined(game)


def sound_moves(game: Game, state: ConventionState) -> int:
    """Return, as bits, the moves that keep the most points within reach; -1 if no search runs.

    Bit n is a play from slot n + 1, `DISCARD_BIT` a discard, `CLUE_BIT` a clue. A move counts if it is among
    the best with one of the hands that the player may hold; a play must fit for each possible identity.
    """
    if not _is_near(game):
        return -1
    moves = 0
    for number in range(_count_hands(game, state)):
        if _assume_hand(game, state, number):
            _find_best_moves(game, state)
            moves |= state.ending.best_moves
    if moves == 0:
        _assume_hand(game, state, -1)
        _find_best_moves(game, state)
        moves = state.ending.best_moves
    for slot in range(1, game.hand_len[game.seat] + 1):
        order = game.hands[game.seat][game.hand_len[game.seat] - slot]
        if state.turn_view.belief[order] & ~game.playable:
            moves &= ~(1 << slot - 1)
    return moves


def _points_lost(game: Game, state: ConventionState, order: int, gained: int) -> int:
    """Return the points that a discard or misplay of a card loses with the assumed hand."""
    _find_best_moves(game, state)
    drawn = _turns_after(game, game.drawn - game.cards, True)
    _push(state.ending, 0, game.playable, 1 << order, drawn, _tokens(game) + gained, 0)
    return state.ending.best - _most_points(game, state, (game.seat + 1) % game.seats)


def late_points(game: Game, state: ConventionState, order: int, gained: int) -> int:
    """Return the points within reach that a discard or misplay of a card loses against the best move.

    `gained` is the number of token units that the action gains. The result is the minimum over the hands that
    the player may hold, -1 if no search runs. If another player is at fault, or shares the fault, the whole
    hand of the player to move counts as known.
    """
    if not _is_near(game):
        return -1
    if state.verdict.fault in (Fault.GIVER, Fault.THIRD, Fault.SHARED):
        state.ending.is_open = 1
        lost = _points_lost(game, state, order, gained)
        state.ending.is_open = 0
        return lost
    lost = -1
    for number in range(_count_hands(game, state)):
        if _assume_hand(game, state, number):
            points = _points_lost(game, state, order, gained)
            lost = points if lost < 0 else min(lost, points)
    if lost < 0:
        _assume_hand(game, state, -1)
        lost = _points_lost(game, state, order, gained)
    return lost
