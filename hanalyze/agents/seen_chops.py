"""Chops and chop-moved cards as each player knows them, without the own hand and what comes later."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from hanalyze.agents.players import choose
from hanalyze.agents.viewpoints import Room, Viewpoint, begin_viewpoint, hide, look_around, read_as, show
from hanalyze.conventions.reader import touched_mask
from hanalyze.conventions.rows import room_for
from hanalyze.conventions.state import is_undefined
from hanalyze.engine.batch import make_batch
from hanalyze.engine.game import Game
from hanalyze.engine.knowledge import read_hands
from hanalyze.engine.playing import next_action, start_game
from hanalyze.engine.rules import apply_action
from hanalyze.game.actions import COLOUR_CLUE, DISCARD, PLAY, RANK_CLUE
from hanalyze.kernels.masks import members
from hanalyze.replaying import Replay

CHOP: Final = -1
"""Value of a chop; that of a chop-moved card is the turn of its chop move."""
_FINDINGS: Final = 4  # upper bound of the findings of an action


def seen_chops(
    replay: Replay, level: int, seats: Sequence[int] | None = None
) -> Iterator[list[dict[int, int]]]:
    """Yield before each turn and at the end, by seat, the chops and chop-moved cards of all hands.

    They are as this player knows them: each action is read when it happens, with the player's own hand
    hidden, by the H-Group conventions up to `level`. The keys are orders, the values turns, or `CHOP`. At
    level 0 and in variants without conventions there are none. `seats` are the players, by default all.

    >>> from hanalyze import replay
    >>> from hanalyze.logs import GameRecord
    >>> list(seen_chops(replay(GameRecord(players=("Alice", "Bob"), seed="p2v0s1")), 25))
    [[{0: -1, 5: -1}, {0: -1, 5: -1}]]
    """
    batch = make_batch([replay.deal]).laid_out(fast=False)
    game, room = Game.new(fast=False), Room.new(fast=False)
    start_game(game, batch, 0)
    views = {seat: Viewpoint.new(fast=False) for seat in (range(game.seats) if seats is None else seats)}
    for view in views.values():
        begin_viewpoint(game, view, level)
    is_read = level > 0 and not is_undefined(game)
    moved: dict[int, dict[int, int]] = {seat: {} for seat in views}
    for index in range(replay.turn_count + 1):
        goes_on = next_action(game, batch, index) if index < replay.turn_count else False
        read_hands(game)
        yield [_chops(game, view, room, seat, moved[seat]) if is_read else {} for seat, view in views.items()]
        if not goes_on:
            return
        kind, target, value = game.action.kind, game.action.target, game.action.value
        choose(game, kind, target, value)
        touched = touched_mask(game, target, kind, value) if kind in (COLOUR_CLUE, RANK_CLUE) else 0
        is_told = is_read and kind in (PLAY, DISCARD, COLOUR_CLUE, RANK_CLUE)
        for seat, view in views.items() if is_told else ():
            read_as(game, view, room, 1 << seat, room_for(_FINDINGS), touched)
            for order in members(view.state.common.chop_moved):
                moved[seat].setdefault(order, index)
        apply_action(game, kind, target, value)


def _chops(game: Game, view: Viewpoint, room: Room, seat: int, moved: dict[int, int]) -> dict[int, int]:
    hide(game, room, 1 << seat, -1)
    look_around(game, view)
    show(game, room, 1 << seat)
    common, turn_view = view.state.common, view.state.turn_view
    chops = {int(order): CHOP for order in turn_view.chop[: game.seats] if order >= 0}
    for hand in turn_view.cards[: game.seats]:
        chops |= {order: moved[order] for order in members(hand & common.chop_moved & ~turn_view.gotten)}
    return chops
