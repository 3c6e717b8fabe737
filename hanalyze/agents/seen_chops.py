"""Chops and chop-moved cards as each player knows them, from the other hands and earlier turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from hanalyze.agents.viewpoints import Room, Viewpoint, begin_viewpoint, hide, look_around, read_hidden, show
from hanalyze.conventions.reader import touched_mask
from hanalyze.conventions.rows import room_for
from hanalyze.conventions.state import is_undefined
from hanalyze.engine.batch import make_batch
from hanalyze.engine.game import Game
from hanalyze.engine.knowledge import read_hands
from hanalyze.engine.playing import next_action, start_game
from hanalyze.engine.rules import apply_action, choose
from hanalyze.game.actions import COLOUR_CLUE, DISCARD, PLAY, RANK_CLUE
from hanalyze.kernels.masks import members
from hanalyze.replaying import Replay

CHOP: Final = -1  # value of a chop in the dicts of `seen_chops`
_FINDINGS: Final = 4  # maximum number of findings for one action


def seen_chops(
    replay: Replay, level: int, seats: Sequence[int] | None = None
) -> Iterator[list[dict[int, int]]]:
    """Yield, before each turn and at the end, the chops and chop-moved cards as each player knows them.

    Each list has one dict for each of `seats`, by default all. The keys are the orders of cards in any hand;
    a value is `CHOP`, or the turn of the chop move, from 0. Players read each action when it happens, by the
    H-Group's conventions up to `level`. At level 0 and in variants without conventions the dicts are empty.

    >>> import hanalyze as hz
    >>> list(seen_chops(hz.replay(hz.GameRecord(players=("Alice", "Bob"), seed="p2v0s1")), 25))
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
    rows = room_for(_FINDINGS)
    for index in range(replay.turn_count + 1):
        goes_on = next_action(game, batch, index) if index < replay.turn_count else False
        kind, target, value = game.action.kind, game.action.target, game.action.value
        read_hands(game)
        choose(game, kind, target, value)
        is_clue = kind in (COLOUR_CLUE, RANK_CLUE)
        touched = touched_mask(game, target, kind, value) if goes_on and is_clue else 0
        is_move = goes_on and kind in (PLAY, DISCARD, COLOUR_CLUE, RANK_CLUE)
        seen: list[dict[int, int]] = [{} for _ in views]
        for number, (seat, view) in enumerate(views.items() if is_read else ()):
            hide(game, room, 1 << seat, -1)
            look_around(game, view)
            seen[number] = _chops(game, view, moved[seat])
            if is_move and not is_clue and seat == game.seat:  # the holder sees the card
                show(game, room, 1 << seat)
                hide(game, room, 1 << seat, target)
                look_around(game, view)
            if is_move:
                read_hidden(game, view, 1 << seat, rows, touched)
            show(game, room, 1 << seat)
            for order in members(view.state.common.chop_moved):
                moved[seat].setdefault(order, index)
        yield seen
        if not goes_on:
            return
        apply_action(game, kind, target, value)


def _chops(game: Game, view: Viewpoint, moved: dict[int, int]) -> dict[int, int]:
    """Return a player's dict of `seen_chops` for a turn that has begun, while the player's hand is hidden."""
    common, turn_view = view.state.common, view.state.turn_view
    chops = {int(order): CHOP for order in turn_view.chop[: game.seats] if order >= 0}
    for hand in turn_view.cards[: game.seats]:
        chops |= {order: moved[order] for order in members(hand & common.chop_moved & ~turn_view.gotten)}
    return chops
