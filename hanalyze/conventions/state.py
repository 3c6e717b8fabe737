"""The state of conventions in a running game, and its update at the beginning of a turn."""

from __future__ import annotations

from typing import Annotated, Final

from hanalyze.conventions.common_knowledge import CommonKnowledge, begin_common
from hanalyze.conventions.steps import (
    MAX_CALLS,
    ByOrder,
    BySeat,
    Call,
    Chain,
    Step,
    call_focuses,
    called_cards,
    clear_chain,
)
from hanalyze.conventions.turn_view import TurnView, find_view
from hanalyze.engine.game import HOLE, MAX_SEATS, SILENT, UP_OR_DOWN, Game
from hanalyze.engine.rules import clue_touch
from hanalyze.game.actions import RANK_CLUE
from hanalyze.game.cards import MAX_CARDS
from hanalyze.game.meanings import Convention, Fault, FaultRule, Reason
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import members
from hanalyze.kernels.record import Record, Row

kernel_module(__name__)


class Verdict(Record):
    """The verdict on one action: its convention, legality and reasons.

    Written by `state`, `bluffs`, `chop_moves`, `clues`, `elimination`, `faults`, `focus_exceptions`,
    `inferences`, `moves`, `opportunities`, `reader`, `retouch`, `signals`.
    """

    name: int  # number of the main `Convention`
    second: int  # number of a further `Convention`, or -1
    focus: int  # order of the card that the action is about, or -1
    on_chop: int  # 1 if the clue's focus is the chop, and newly touched
    readings: int  # identities of the focus that the receiver must consider possible
    direct: int  # readings that remain if no player shows another reading
    showing_seats: int  # seats that may show another reading
    deep: int  # readings that only a deep chain explains; they do not count until the chain is shown
    bluff_ids: int  # readings that remain once the clue proves to be a bluff or a signal
    certainty: int  # in percent
    legal: int  # 1 if the conventions allow the action
    reasons: int  # reasons against the action, or explanations of it: bit n for `Reason` n
    marked_cards: int  # cards that the action chop moves or names
    worth: int  # number of useful cards that the action touches newly, calls or chop moves
    bad: int  # number of newly touched cards that break good touch
    fault: int  # fault for a misplay, a number of `Fault`
    fault_seat: int  # the seat at fault, or -1
    fault_rule: int  # number of the `FaultRule` that decided
    fault_turn: int  # turn of the action at fault, -1 if no single action is
    unfixed_seat: int  # the last seat that could have fixed the clue at fault, or -1
    unfixed_turn: int
    late_points: int  # points in reach that a discard or misplay lost against the best move, -1 if unknown
    chain: Chain  # called cards
    spare_chain: Chain  # copy of `chain` while other chains are tried
    wrong: Step  # clued card that players would misplay as the missing one (a wrong prompt); order -1 if none


def begin_verdict(verdict: Verdict, focus: int, on_chop: int, readings: int) -> None:
    """Reset the verdict to an action that is allowed and not yet explained."""
    clear_chain(verdict.chain)
    verdict.wrong.order = -1
    verdict.name = Convention.UNEXPLAINED
    verdict.second = -1
    verdict.focus = focus
    verdict.on_chop = on_chop
    verdict.readings = readings
    verdict.direct = 0
    verdict.showing_seats = 0
    verdict.bluff_ids = 0
    verdict.deep = 0
    verdict.certainty = 100
    verdict.legal = 1
    verdict.reasons = 0
    verdict.marked_cards = 0
    verdict.worth = 0
    verdict.bad = 0
    verdict.fault = Fault.NONE
    verdict.fault_seat = -1
    verdict.fault_rule = FaultRule.NO_RULE
    verdict.fault_turn = -1
    verdict.unfixed_seat = -1
    verdict.unfixed_turn = -1
    verdict.late_points = -1


def refuse(verdict: Verdict, reason: int) -> None:
    """Mark an action as not allowed, and record the reason."""
    verdict.reasons |= 1 << reason
    verdict.legal = 0


def forgive_touch(verdict: Verdict) -> None:
    """Ignore the bad touch of a clue that marks its cards as trash."""
    verdict.bad = 0
    verdict.reasons &= ~(1 << Reason.BAD_TOUCH | 1 << Reason.DUPLICATE)


def blame(verdict: Verdict, fault: int, seat: int, rule: int, turn: int) -> None:
    """Set the fault for a misplay; `turn` is -1 if no single action is at fault."""
    verdict.fault = fault
    verdict.fault_seat = seat
    verdict.fault_rule = rule
    verdict.fault_turn = turn


class Clue(Record):
    """A clue, given or only possible. Written by `state`."""

    giver: int
    receiver: int
    kind: int  # number of its `ActionKind`
    value: int  # index of the clue colour, or rank
    identities: int  # identities that the clue touches
    touched: int  # cards that the clue touches
    newly: int  # touched cards that no clue touched before


def set_clue(game: Game, clue: Clue, receiver: int, kind: int, value: int, touched: int) -> None:
    """Set `clue` to a clue of the player to move that touches the cards `touched`."""
    clue.giver = game.seat
    clue.receiver = receiver
    clue.kind = kind
    clue.value = value
    clue.identities = clue_touch(game, kind, value)
    clue.touched = touched
    clue.newly = touched & ~game.clued


def propose(game: Game, clue: Clue, receiver: int, kind: int, value: int) -> None:
    """Set `clue` to a possible clue of the player to move, as if it touched only cards of known identity."""
    set_clue(game, clue, receiver, kind, value, 0)
    for order in game.hands[receiver][: game.hand_len[receiver]]:
        number = game.identity[order]
        if number >= 0:
            clue.touched |= (clue.identities >> number & 1) << order
    clue.newly = clue.touched & ~game.clued


def is_number(clue: Clue, rank: int) -> bool:
    """Return whether a clue names `rank`."""
    return clue.kind == RANK_CLUE and clue.value == rank


OFFERED_CALLS: Final = 3
"""Maximum number of cards recorded in `Offers.clue_gets`."""


class Offers(Record):
    """Meanings of the legal clues of a turn. Written by `state`, `opportunities`."""

    available: int  # conventions of the allowed clues, bit n for convention n; -1 until computed
    available_more: int  # such conventions from `OFFERED` on, bit n for convention `OFFERED` + n
    best: int  # most cards that a clue of `GETTING` without bad touch would get
    best_for: BySeat  # the same for clues to each seat
    stalls: int  # conventions of stalls without bad touch; with 3 or more players, except to the previous one
    legal_clues: int  # number of legal clues that touch a card
    better: int  # focuses of clues of `GETTING` without bad touch
    may_be_left: int  # 1 if all better clues are about one card, which a later finesse could call
    at_risk: int  # chops that need saving and are about to be discarded
    savable: int  # chops at risk that some clue saves
    fixable: int  # cards that some legal clue would fix: about to be misplayed, or bad
    searching: int  # 1 while the legal clues are judged, when reasons against them do not matter
    in_hand_ids: BySeat  # known identities of the cards in each hand, while `searching`
    in_reach: int  # identities that chains can make playable for the receiver, -1 if unknown
    others_ids: int  # known identities of the cards in third players' hands, while `searching`

    # The best clue.
    clue_rank: int  # its rank, as in `opportunities`; -1 if there is no clue
    clue_name: int  # number of its `Convention`
    clue_receiver: int
    clue_kind: int  # number of its `ActionKind`
    clue_value: int
    clue_focus: int
    clue_stalls: int  # 1 if it only passes the turn
    clue_saves: int  # 1 if it saves a chop at risk
    clue_fixes: int  # 1 if it stops the next player's misplay
    clue_gets: Annotated[Row, OFFERED_CALLS]  # identities of the first cards called from other hands, or -1


def forget_offers(offers: Offers) -> None:
    """Mark the offers as not computed at the beginning of a turn."""
    offers.available = -1
    offers.available_more = 0
    offers.best = 0
    for seat in range(MAX_SEATS):
        offers.best_for[seat] = 0


LEVELS: Final = 24
"""Maximum number of turns that the endgame search looks ahead."""


class Ending(Record):
    """States on the path of the endgame search, by depth. Written by `ending`."""

    playable: Annotated[Row, LEVELS]  # playable identities
    played: Annotated[Row, LEVELS]  # cards played on the path
    turns: Annotated[Row, LEVELS]  # -n while n cards are in the deck, then the turns left
    tokens: Annotated[Row, LEVELS]  # in units
    points: Annotated[Row, LEVELS]  # points scored on the path
    tried: Annotated[Row, LEVELS]  # number of moves tried
    best: int  # most points of the moves compared so far
    best_moves: int  # moves that reach the most points, as bits
    own: ByOrder  # assumed identities of the cards of the player to move, -1 if unknown
    is_open: int  # 1 while the search treats the hand of the player to move as known


class ConventionState(Record):
    """The state of conventions in a running game.

    Written by `state`, `open_calls`, `rows`, `reader`, `run`, `agents.viewpoints`, `detectors.turns`,
    `puzzles.moves`.
    """

    row: int  # number of findings of all games so far, including those for which there was no room
    number: int  # number of findings so far in this turn
    common: CommonKnowledge
    turn_view: TurnView
    offers: Offers
    ending: Ending
    clue: Clue
    verdict: Verdict
    calls: Annotated[list[Call], MAX_CALLS]
    call_places: int  # all places of `calls` from this index on are free


def begin(game: Game, state: ConventionState, level: int) -> None:
    """Clear the state for a game that has just been dealt."""
    begin_common(state.common, level, game.drawn)
    for order in range(MAX_CARDS):
        state.turn_view.belief[order] = 0
    for call in state.calls:
        call.is_open = 0
    state.call_places = 0


def begin_turn(game: Game, state: ConventionState) -> None:
    """Compute the view of a turn before its action; the offers are not computed yet.

    Cards that the receiver of the last clue would misplay only because of that clue are recorded as misplays
    that its giver should have prevented.
    """
    while state.call_places and not state.calls[state.call_places - 1].is_open:
        state.call_places -= 1
    common, view, before = state.common, state.turn_view, state.turn_view.misplays
    renew_view(game, state)
    forget_offers(state.offers)
    if common.told_seat >= 0:
        for order in members(view.misplays & ~before & view.cards[common.told_seat]):
            common.unfixed_turn[order] = game.turn - 1
            common.unfixed_seat[order] = (game.seat + game.seats - 1) % game.seats


def renew_view(game: Game, state: ConventionState) -> None:
    """Recompute the view of the turn from the current inferences and open calls."""
    calls = state.calls[: state.call_places]
    find_view(game, state.common, state.turn_view, called_cards(calls), call_focuses(calls))


def is_undefined(game: Game) -> bool:
    """Return whether the variant leaves conventions undefined.

    Conventions need clues with visible values, visible plays, and stacks that grow in only one direction.
    """
    return game.variant.flags & (SILENT | HOLE) != 0 or game.variant.stack_kind == UP_OR_DOWN
