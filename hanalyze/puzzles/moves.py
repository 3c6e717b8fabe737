"""The legal moves of a turn, each read by the conventions as if it were the actual move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from hanalyze.conventions.opportunities import find_opportunities
from hanalyze.conventions.reader import read_action
from hanalyze.conventions.rows import FINDING, Rows, room_for
from hanalyze.conventions.state import ConventionState, begin, begin_turn
from hanalyze.conventions.steps import Call
from hanalyze.engine.batch import make_batch
from hanalyze.engine.game import Game, next_seats
from hanalyze.engine.playing import next_action, start_game
from hanalyze.engine.rules import apply_action
from hanalyze.engine.turn_rows import published
from hanalyze.game.actions import COLOUR_CLUE, DISCARD, PLAY, RANK_CLUE, Action
from hanalyze.game.meanings import Convention, Reason
from hanalyze.kernels.masks import members
from hanalyze.position import NO_MOVES, ClueMark, MoveHistory
from hanalyze.replaying import Replay
from hanalyze.solver.lines import legal_actions
from hanalyze.tables.conventions import CONVENTIONS

_FINDINGS: Final = 4  # maximum number of findings for one action


@dataclass(frozen=True, slots=True)
class Move:
    """A legal move with its finding, as in the table `conventions`.

    For a clue, three fields are masks of orders: `saved` contains the endangered chops that it saves,
    `touched` the cards that it touches, `newly` those that no earlier clue touched. `identities` is the mask
    of all identities that the clue's colour or rank touches.
    """

    action: Action
    finding: dict[str, Any]
    saved: int = 0
    touched: int = 0
    newly: int = 0
    identities: int = 0

    def has(self, reason: Reason) -> bool:
        """Return whether the finding has this reason."""
        return bool(self.finding["reasons"] >> reason & 1)

    @property
    def is_clue(self) -> bool:
        """Whether the move is a clue."""
        return self.action.kind in (COLOUR_CLUE, RANK_CLUE)


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn before its move: the running game, the state of the conventions, and the earlier moves."""

    game: Game
    state: ConventionState
    history: MoveHistory

    def hand(self, seat: int) -> list[int]:
        """Return the orders of a hand, oldest first."""
        return self.game.hands[seat][: self.game.hand_len[seat]]

    def slot(self, order: int) -> int:
        """Return the slot of a card; 1 is the newest card."""
        hand = self.hand(self.game.place[order])
        return len(hand) - hand.index(order)

    def marks(self, order: int) -> tuple[ClueMark, ...]:
        """Return the clues given to the hand of a card while the card was in it."""
        return self.history.marks.get(order, ())

    def is_true(self) -> bool:
        """Return whether all inferences from messages include the true identities and lead to no misplay."""
        view, game = self.state.turn_view, self.game
        return not view.misplays and all(
            (view.known_trash >> order & 1 and not view.needed >> game.identity[order] & 1)
            or view.belief[order] >> game.identity[order] & 1
            for order in members(view.gotten)
        )

    def moves(self) -> list[Move]:
        """Return the legal moves with their findings, without empty clues and clues to oneself."""
        game, state = self.game, self.state
        find_opportunities(game, state)
        closed = [call for call in state.calls if not call.is_open]
        moves = []
        for action in legal_actions(game, next_seats(game.seat, game.seats)):
            other, rows = _fork(state, closed), room_for(_FINDINGS)
            other.row = 0
            read_action(game, other, rows, *action)
            for call in closed:  # the move may have opened a call
                call.is_open = 0
            clue = other.clue
            if other.row and action.kind in (PLAY, DISCARD):
                moves.append(Move(action, _finding(rows)))
            elif other.row and clue.touched:
                chain = other.verdict.chain
                safe = clue.touched | other.verdict.marked_cards
                for step in chain.steps[: chain.length]:
                    safe |= 1 << step.order
                saved = other.offers.at_risk & safe
                moves.append(Move(action, _finding(rows), saved, clue.touched, clue.newly, clue.identities))
        return moves


def _fork(state: ConventionState, closed: list[Call]) -> ConventionState:
    """Return a copy of a state that shares its `closed` calls, which are most of its size."""
    calls, state.calls = state.calls, []
    other = state.copy()
    state.calls = calls
    other.calls = [*(call.copy() for call in calls if call.is_open), *closed]
    return other


def _finding(rows: Rows) -> dict[str, Any]:
    columns = published(CONVENTIONS, FINDING, rows.findings, None, 1)
    row = {name: column.tolist()[0] for name, column in columns.items()}
    row["convention"] = Convention(row["convention"]).label
    return row


def turns_of(replay: Replay, wanted: set[int], level: int) -> Iterator[tuple[int, Turn]]:
    """Yield each turn in `wanted`: its index, from 0, and its state, which is valid until the next turn."""
    batch = make_batch([replay.deal]).laid_out(fast=False)
    game, state, history = Game.new(fast=False), ConventionState.new(fast=False), NO_MOVES
    start_game(game, batch, 0)
    begin(game, state, level)
    for index in range(min(max(wanted) + 1, batch.actions[0])):
        if not next_action(game, batch, index):
            return
        action = game.action.kind, game.action.target, game.action.value
        begin_turn(game, state)
        if index in wanted:
            yield index, Turn(game, state, history)
        find_opportunities(game, state)
        rows = room_for(_FINDINGS)
        state.row = 0
        read_action(game, state, rows, *action)
        history = history.after(game, *action)
        apply_action(game, *action)
