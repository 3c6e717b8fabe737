"""A game turn by turn from the views of a spectator and of each player.

Each viewer has separate records that contain only what the viewer sees, so detectors may read all of them.
Messages are read once per viewer, from the first turn on, so the inferences of viewers are independent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from hanalyze.conventions.opportunities import find_opportunities
from hanalyze.conventions.reader import read_action, read_clue, touched_mask
from hanalyze.conventions.rows import room_for
from hanalyze.conventions.state import ConventionState, begin, begin_turn
from hanalyze.detectors.turns import MAX_MEANINGS, Setting, Situation, Turn
from hanalyze.detectors.views import Meaning, meanings_of
from hanalyze.engine.batch import Deal, make_batch
from hanalyze.engine.game import SILENT, Game
from hanalyze.engine.playing import next_action, start_game
from hanalyze.engine.rules import apply_action
from hanalyze.game.actions import COLOUR_CLUE, DISCARD, PLAY, RANK_CLUE, Action, Result
from hanalyze.game.cards import card_of
from hanalyze.kernels.masks import members
from hanalyze.position import NO_MOVES, MoveHistory, seen_game

SPECTATOR: Final = -1
"""The viewer who sees all hands."""

MAX_TURNS: Final = 500
"""Maximum number of actions read per game; under the rules, a game has at most about 200."""


class _Viewer:
    """A viewer's reading of the messages so far, and the situation that the viewer sees."""

    def __init__(self, seat: int, setting: Setting, game: Game, turns: int) -> None:
        self.seat = seat
        self._setting = setting
        self._reading = ConventionState()
        self._rows = room_for(MAX_MEANINGS * turns)
        begin(game, self._reading, setting.level)
        self.situation = self.see(game, NO_MOVES)

    def see(self, game: Game, history: MoveHistory) -> Situation:
        """Store and return the situation at the beginning of a turn."""
        seen = seen_game(game, *([] if self.seat == SPECTATOR else [self.seat]))
        begin_turn(seen, self._reading)
        self.situation = Situation(
            self._setting, seen.frozen(), self._reading.frozen(), history.seen_in(seen)
        )
        return self.situation

    def read(self, game: Game, action: Action, touched: int) -> tuple[Meaning, ...]:
        """Read an action that is about to be carried out; `game` is the game with all cards open."""
        seen = self.situation.game.copy()
        first = self._reading.row
        find_opportunities(seen, self._reading)
        kind, target, value = action
        if kind in (COLOUR_CLUE, RANK_CLUE):
            read_clue(seen, self._reading, self._rows, kind, target, value, touched)
        else:
            if kind in (PLAY, DISCARD):
                _reveal(seen, target, game.identity[target])
            read_action(seen, self._reading, self._rows, kind, target, value)
        columns = self._rows.findings[:, first : self._reading.row]
        return meanings_of(columns, self._setting.variant.letters)


def _reveal(game: Game, order: int, number: int) -> None:
    """Show a card that leaves its hand, even if the viewer is its holder."""
    game.identity[order] = number


def watch(deal: Deal, level: int, seats: Iterable[int]) -> Iterator[dict[int, Turn]]:
    """Yield for each action of a game the turn of each viewer, by seat.

    `seats` are the viewers' seats and may include `SPECTATOR`; `level` is the highest H-Group level of the
    messages to read, 1 to 25. A yielded turn contains nothing of later turns. Stops after `MAX_TURNS`.
    """
    batch = make_batch([deal]).laid_out(fast=False)
    game = Game()
    start_game(game, batch, 0)
    setting = Setting(tuple(deal.record.players), deal.variant, deal.rules, level)
    count = min(len(deal.record.actions), MAX_TURNS)
    viewers = [_Viewer(seat, setting, game, count) for seat in seats]
    history = NO_MOVES
    for index in range(count):
        if not next_action(game, batch, index):
            return
        if game.action.after_end:
            # The action continues a finished game, which is unfinished again.
            for viewer in viewers:
                viewer.see(game, history)
        kind, target, value = action = Action(game.action.kind, game.action.target, game.action.value)
        clue = kind in (COLOUR_CLUE, RANK_CLUE)
        touched = touched_mask(game, target, kind, value) if clue else 0
        newly = touched & ~game.clued
        before = [(viewer, viewer.situation, viewer.read(game, action, touched)) for viewer in viewers]
        history = history.after(game, *action)
        apply_action(game, *action)
        silent = clue and game.variant.flags & SILENT
        yield {
            viewer.seat: Turn(
                _situation=situation,
                _following=viewer.see(game, history),
                action=Action(kind, target, -1) if silent and viewer.seat == target else action,
                result=Result(game.last.result).name.lower(),
                card=card_of(game.identity[target]) if kind in (PLAY, DISCARD) else None,
                drawn=game.last.drawn if game.last.drawn >= 0 else None,
                touched=tuple(members(touched)),
                newly_touched=tuple(members(newly)),
                meanings=meanings,
            )
            for viewer, situation, meanings in before
        }
