"""The state that conventions keep beside a running game, and its update at the beginning of a turn."""

from __future__ import annotations

from typing import Annotated

from hanalyze.conventions.clue import Clue
from hanalyze.conventions.common_knowledge import CommonKnowledge, begin_common
from hanalyze.conventions.last_turns import Ending
from hanalyze.conventions.offers import Offers, forget_offers
from hanalyze.conventions.steps import MAX_CALLS, Call, call_focuses, called_cards, drop_calls
from hanalyze.conventions.turn_view import TurnView, begin_view, find_view
from hanalyze.conventions.verdict import Verdict
from hanalyze.engine.game import HOLE, SILENT, UP_OR_DOWN, Game
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.record import Record


class ConventionState(Record):
    """What conventions keep beside a running game.

    Written by `rows`, `reader`, `run`, `agents.viewpoints`, `detectors.turns`.
    """

    row: int
    """Rows of findings written so far, in all games."""
    number: int
    """Rows of findings that the turn has written."""
    common: CommonKnowledge
    turn_view: TurnView
    offers: Offers
    ending: Ending
    clue: Clue
    verdict: Verdict
    calls: Annotated[list[Call], MAX_CALLS]


@kernel
def begin(game: Game, state: ConventionState, level: int) -> None:
    """Forget what was told in the game before: this one has just been dealt."""
    begin_common(state.common, level, game.drawn)
    begin_view(state.turn_view)
    drop_calls(state.calls)


@kernel
def begin_turn(game: Game, state: ConventionState) -> None:
    """Find what the turn looks like before its action; what it offers is not known yet."""
    find_view(game, state.common, state.turn_view, called_cards(state.calls), call_focuses(state.calls))
    forget_offers(state.offers)


@kernel
def is_undefined(game: Game) -> bool:
    """Return whether the variant leaves open what conventions go by.

    A clue must say what it touches, players must see what was played, and a stack must have one way to grow.
    """
    return game.variant.flags & (SILENT | HOLE) != 0 or game.variant.stack_kind == UP_OR_DOWN
