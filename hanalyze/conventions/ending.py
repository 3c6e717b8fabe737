"""Endgame search for moves that keep the most points in reach, by the cards that a player sees or knows."""

from __future__ import annotations

from typing import Final

from hanalyze.conventions.state import LEVELS, ConventionState, Ending, is_undefined
from hanalyze.engine.game import Game
from hanalyze.engine.stacks import after_playing
from hanalyze.game.meanings import Fault
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import is_one, lowest

kernel_module(__name__)

NEAR: Final = 2
"""Maximum number of cards in the deck at which the search runs."""
DISCARD_BIT: Final = 6
CLUE_BIT: Final = 7
_FIVE: Final = 5


def _identity(game: Game, state: ConventionState, order: int) -> int:
    """Return the identity of a card; -1 if the player to move does not know it and it is not open."""
    if game.place[order] != game.seat or state.ending.is_open:
        return game.identity[order]
    belief = state.turn_view.belief[order]
    return lowest(belief) if is_one(belief) else -1


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
    """Write the state at a depth of the search."""
    ending.playable[level] = playable
    ending.played[level] = played
    ending.turns[level] = turns
    ending.tokens[level] = tokens
    ending.points[level] = points
    ending.tried[level] = 0


def _next_move(game: Game, state: ConventionState, first: int, level: int) -> bool:
    """Try the next move at a depth; return False if the search skips it, such as a play that would fail.

    `first` is the seat of depth 0.
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
        tokens += unit if number & 7 == _FIVE else 0
        playable = after_playing(game, playable, number)
        left = _turns_after(game, turns, True)
        _push(ending, level + 1, playable, played | 1 << order, left, tokens, points + 1)
        return True
    if tried == size and (turns > 0 or tokens >= unit):
        rest = tokens - unit if turns < 0 else tokens
        _push(ending, level + 1, playable, played, _turns_after(game, turns, False), rest, points)
        return True
    if tried == size + 1 and turns < 0:
        _push(ending, level + 1, playable, played, _turns_after(game, turns, True), tokens + unit, points)
        return True
    return False


def _most_points(game: Game, state: ConventionState, first: int) -> int:
    """Return the most points from depth 0 on, where the seat `first` is to move."""
    ending = state.ending
    best = ending.points[0]
    level = 0
    while level >= 0:
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


def sound_moves(game: Game, state: ConventionState) -> int:
    """Return the moves that keep the most points within reach as bits, -1 if no search runs.

    Bit n is a play from slot n + 1, `DISCARD_BIT` a discard, `CLUE_BIT` a clue.
    """
    deck = game.cards - game.drawn
    if not 0 < deck <= NEAR or is_undefined(game):
        return -1
    seat, unit, ending = game.seat, game.variant.token_unit, state.ending
    # Passing for more than two rounds gains nothing.
    tokens = min(game.tokens, 2 * game.seats * unit)
    drawn = _turns_after(game, -deck, True)
    ending.best = 0
    ending.best_moves = 0
    for slot in range(1, game.hand_len[seat] + 1):
        order = game.hands[seat][game.hand_len[seat] - slot]
        number = _identity(game, state, order)
        if number >= 0 and game.playable >> number & 1:
            after = after_playing(game, game.playable, number)
            gained = unit if number & 7 == _FIVE else 0
            _push(ending, 0, after, 1 << order, drawn, tokens + gained, 1)
            _compare(game, state, slot - 1)
    if game.tokens < game.full_tokens:
        _push(ending, 0, game.playable, 0, drawn, tokens + unit, 0)
        _compare(game, state, DISCARD_BIT)
    if tokens >= unit:
        _push(ending, 0, game.playable, 0, -deck, tokens - unit, 0)
        _compare(game, state, CLUE_BIT)
    return ending.best_moves


def late_points(game: Game, state: ConventionState, order: int, gained: int) -> int:
    """Return the points in reach that a discard or misplay of a card loses against the best move.

    `gained` is the number of tokens that the action gains. Returns -1 if no search runs. If another player is
    at fault, the whole hand of the player to move counts as known.
    """
    fault, ending = state.verdict.fault, state.ending
    ending.is_open = 1 if fault in (Fault.GIVER, Fault.THIRD, Fault.SHARED) else 0
    lost = -1
    if sound_moves(game, state) >= 0:
        unit = game.variant.token_unit
        tokens = min(game.tokens, 2 * game.seats * unit) + gained * unit
        drawn = _turns_after(game, game.drawn - game.cards, True)
        _push(ending, 0, game.playable, 1 << order, drawn, tokens, 0)
        lost = ending.best - _most_points(game, state, (game.seat + 1) % game.seats)
    ending.is_open = 0
    return lost
