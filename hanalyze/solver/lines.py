"""Legal actions; the solver's lines as actions, with a choice of trash to discard and clues to give."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hanalyze.engine.game import ALTERNATING, Game, next_seats
from hanalyze.engine.rules import apply_action, choose, clue_touch, find_defect
from hanalyze.game.actions import COLOUR_CLUE, DISCARD, PLAY, RANK_CLUE, Action
from hanalyze.game.cards import RANK_SLOTS
from hanalyze.game.editions import EndCondition
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.record import Grid
from hanalyze.solver.exact import Search
from hanalyze.solver.state import CLUE, DROP, MISS, PLAY_CARD, TRASH, Setting, State, bit_of, take_position


def legal_actions(game: Game, receivers: Iterable[int] | None = None) -> list[Action]:
    """Return the actions of `all_actions` that break no rule."""
    return [action for action in all_actions(game, receivers) if find_defect(game, *action) == 0]


def all_actions(game: Game, receivers: Iterable[int] | None = None) -> list[Action]:
    """Return plays, discards (newest card first) and clues to `receivers` (default: all), legal or not."""
    hand = [int(game.hands[game.seat][i]) for i in range(game.hand_len[game.seat])]
    actions = [Action(kind, order, 0) for kind in (PLAY, DISCARD) for order in reversed(hand)]
    for seat in range(game.seats) if receivers is None else receivers:
        actions += [Action(COLOUR_CLUE, seat, colour) for colour in range(game.variant.colours)]
        actions += [Action(RANK_CLUE, seat, rank) for rank in range(1, RANK_SLOTS)]
    return actions


def likeness(game: Game, action: Action, identities: Any) -> tuple[int, int]:
    """Return a key that actions with the same effect share, such as discards of equal cards, or clues.

    `identities` contains the identities of the cards by order.
    """
    if action.kind in (PLAY, DISCARD):
        return action.kind, int(identities[action.target])
    return (action.kind if game.variant.flags & ALTERNATING else COLOUR_CLUE), -1


@kernel
def _card(game: Game, bit: int) -> int:
    """Return the order of a card with this bit in the hand of the player to move, -1 if there is none."""
    for order in game.hands[game.seat][: game.hand_len[game.seat]]:
        if bit_of(game.variant, game.identity[order]) == bit:
            return order
    return -1


@kernel
def _trash(game: Game, needed: int, misplay: bool) -> int:
    """Return the order of a trash card in the hand of the player to move, -1 if there is none.

    A second copy in the hand is also trash. With `misplay`, the card must not fit a stack.
    """
    earlier = 0
    for order in game.hands[game.seat][: game.hand_len[game.seat]]:
        number = game.identity[order]
        bit = bit_of(game.variant, number)
        if (not bit & needed or bit & earlier) and not (misplay and game.playable >> number & 1):
            return order
        earlier |= bit
    return -1


@kernel
def _worth(game: Game, seat: int, kind: int, value: int) -> int:
    """Return the worth of a clue: 8 for each newly touched playable card, 1 for each other touched card."""
    touch = clue_touch(game, kind, value)
    worth = 0
    for order in game.hands[seat][: game.hand_len[seat]]:
        if touch >> game.identity[order] & 1:
            is_new = not game.clued >> order & 1
            worth += 8 if is_new and game.playable >> game.identity[order] & 1 else 1
    return worth


@kernel
def _choose_clue(game: Game) -> bool:
    """Choose the legal clue with the highest worth; return whether there is a legal clue."""
    most = -1
    for seat in next_seats(game.seat, game.seats):
        for kind in (COLOUR_CLUE, RANK_CLUE):
            for value in range(RANK_SLOTS):
                if find_defect(game, kind, seat, value) == 0:
                    worth = _worth(game, seat, kind, value)
                    if worth > most:
                        most = worth
                        choose(game, kind, seat, value)
    return most >= 0


@kernel
def _choose_move(game: Game, move: int, needed: int) -> bool:
    """Choose an action that carries out a move; return whether there is one."""
    kind = move >> 5
    if kind == CLUE:
        return _choose_clue(game)
    if kind == PLAY_CARD:
        order = _card(game, 1 << (move & 31))
        choose(game, PLAY, order, 0)
        return order >= 0 and game.playable >> game.identity[order] & 1 == 1
    full = game.tokens >= game.full_tokens and not game.rules.discard_at_full_tokens
    misplay = full or kind not in (DROP, TRASH)
    needed_card = kind in (DROP, MISS)
    order = _card(game, 1 << (move & 31)) if needed_card else _trash(game, needed, misplay)
    choose(game, PLAY if misplay else DISCARD, order, 0)
    return order >= 0 and not (needed_card and misplay and game.playable >> game.identity[order] & 1)


@kernel
def _pass(game: Game, needed: int) -> bool:
    """Choose an action without a play in the last round; return whether there is one."""
    if game.tokens >= game.variant.token_unit and _choose_clue(game):
        return True
    order = _trash(game, needed, False)
    if order < 0 and game.hand_len[game.seat] > 0:
        order = game.hands[game.seat][0]
    choose(game, DISCARD, order, 0)
    return order >= 0


@kernel
def _carry_out(game: Game, actions: Grid, count: int) -> bool:
    """Carry out and record the chosen action; return whether it is legal."""
    kind, target, value = game.choice.kind, game.choice.target, game.choice.value
    if find_defect(game, kind, target, value) != 0:
        return False
    actions[count][0] = kind
    actions[count][1] = target
    actions[count][2] = value
    apply_action(game, kind, target, value)
    return True


@kernel
def carry_out_line(setting: Setting, game: Game, work: Search, state: State, actions: Grid) -> int:
    """Play the found line from its first position and write its actions; return their number.

    Returns -1 if the line is illegal, does not reach the goal, or loses the game.
    """
    count = 0
    for index in range(work.length):
        if game.end_condition != 0:
            return -1
        take_position(setting, game, state)
        has_action = _choose_move(game, work.line[index], state.reach & ~state.played)
        if not has_action or not _carry_out(game, actions, count):
            return -1
        count += 1
    for turn in range(work.final_turns):
        if game.raw_score >= setting.goal:
            break
        if game.end_condition != 0:
            return -1
        take_position(setting, game, state)
        card = work.final[turn + 1] & ~work.final[turn]
        if card:
            choose(game, PLAY, _card(game, card), 0)
        elif not _pass(game, state.reach & ~state.played):
            return -1
        if not _carry_out(game, actions, count):
            return -1
        count += 1
    return -1 if game.end_condition > EndCondition.NORMAL or game.raw_score < setting.goal else count
