"""The rules of play: the deal, checking and carrying out an action, and the end of the game.

Sources: the rules that hanab.live enforces; the rule sheets of other editions.
"""

from __future__ import annotations

from collections.abc import Sequence

from hanalyze.engine.game import (
    ALTERNATING,
    COLOURS_TOUCH_NOTHING,
    HOLE,
    IN_DECK,
    IN_DISCARD,
    INVERTED,
    MAX_SEATS,
    ON_STACK,
    RANKS_TOUCH_NOTHING,
    SILENT,
    Game,
)
from hanalyze.engine.stacks import grow_stack, lose_card, set_up_stacks
from hanalyze.game.actions import (
    CLUED,
    COLOUR_CLUE,
    DISCARD,
    DISCARDED,
    END_GAME,
    END_VOTE,
    ENDED,
    MISPLAYED,
    PLAY,
    PLAYED,
    RANK_CLUE,
)
from hanalyze.game.cards import RANK_SLOTS
from hanalyze.game.defects import Defect
from hanalyze.game.editions import EndCondition
from hanalyze.kernels.compiling import kernel_module

kernel_module(__name__)


def _show(game: Game, seat: int, order: int) -> None:
    """Remove one copy of a card from the copies that `seat` has not seen."""
    bit = 1 << game.identity[order]
    unseen = game.know.unseen[seat]
    # One copy fewer: the bit is removed from the last mask that has it.
    third = bit & unseen[2]
    second = bit & ~third & unseen[1]
    unseen[2] &= ~third
    unseen[1] &= ~second
    unseen[0] &= ~(bit & ~third & ~second)


def _draw(game: Game, seat: int) -> None:
    order = game.drawn
    game.drawn = order + 1
    game.hands[seat][game.hand_len[seat]] = order
    game.hand_len[seat] += 1
    game.place[order] = seat
    for other in range(game.seats):
        if other != seat:
            _show(game, other, order)


def deal(game: Game, deck: Sequence[int], hand_size: int, first_seat: int) -> None:
    """Set up a game: seat 0 gets the first `hand_size` cards, seat 1 the next, and so on.

    `deck` contains the identity of each card, top card first; `first_seat` moves first. `variant`, `rules`,
    `seats` and `cards` of the game must be set.
    """
    game.full_tokens = game.rules.clue_tokens * game.variant.token_unit
    game.full_score = game.variant.suits * game.variant.stack_size
    game.seat = first_seat
    game.turn = 0
    game.drawn = 0
    game.tokens = game.full_tokens
    game.strikes = 0
    game.clues_lost = 0
    game.raw_score = 0
    game.end_turn = -1
    game.end_condition = EndCondition.UNFINISHED
    game.last_clue = -1
    game.stuck_rule = game.rules.ends_when_stuck
    for seat in range(MAX_SEATS):
        game.hand_len[seat] = 0
        for copies in range(3):
            game.know.unseen[seat][copies] = game.variant.everything[copies]
    game.clued = 0
    game.informed = 0
    game.know.unread = (1 << game.seats) - 1
    game.know.unsure = 0
    for order in range(game.cards):
        game.identity[order] = deck[order]
        game.place[order] = IN_DECK
        game.colour_clues[order] = 0
        game.rank_clues[order] = 0
        game.possible[order] = game.variant.everything[0]
    for seat in range(game.seats):
        for _ in range(hand_size):
            _draw(game, seat)
    if game.drawn == game.cards and not game.rules.all_or_nothing:
        game.end_turn = game.seats  # the deal took the last card
    set_up_stacks(game)


def clue_touch(game: Game, kind: int, value: int) -> int:
    """Return the mask of identities that a clue touches, or -1 if the variant does not have the clue."""
    if kind == COLOUR_CLUE:
        if 0 <= value < game.variant.colours:
            return game.variant.colour_touch[value]
    elif 0 <= value < RANK_SLOTS and game.variant.clue_ranks >> value & 1:
        return game.variant.rank_touch[value]
    return -1


def touched_indices(game: Game, seat: int, kind: int, value: int) -> int:
    """Return the cards of `seat` that a clue touches, as a mask with bit i for hand index i (0: oldest)."""
    touch = clue_touch(game, kind, value)
    touched = 0
    for i in range(game.hand_len[seat]):
        touched |= (touch >> game.identity[game.hands[seat][i]] & 1) << i
    return touched


def _may_play_from_deck(game: Game, kind: int, order: int) -> bool:
    """Return whether `order` is the last card of the deck and may be played from it.

    In a variant with an inverted suit, a log may record this play as a discard, because logs contain the
    resulting action.
    """
    return (
        game.rules.deck_plays == 1
        and order == game.cards - 1
        and game.drawn == order
        and (kind == PLAY or game.variant.flags & INVERTED != 0)
    )


def _may_touch_nothing(game: Game, kind: int) -> bool:
    silent = COLOURS_TOUCH_NOTHING if kind == COLOUR_CLUE else RANKS_TOUCH_NOTHING
    return game.rules.empty_clues == 1 or game.variant.flags & silent != 0


def _is_kind_repeated(game: Game, kind: int) -> bool:
    return game.variant.flags & ALTERNATING != 0 and kind == game.last_clue


def find_defect(game: Game, kind: int, target: int, value: int) -> int:
    """Return the rule that an action of the player to move breaks, a number of `Defect`; 0 if it is legal.

    If the action breaks several rules, a rule of `STOPPING`, which ends the replay, takes precedence.
    """
    if kind in (PLAY, DISCARD):
        if not 0 <= target < game.cards:
            return Defect.ORDER_OUT_OF_RANGE
        if game.place[target] != game.seat and not _may_play_from_deck(game, kind, target):
            return Defect.CARD_NOT_IN_HAND
        if (
            kind == DISCARD
            and game.tokens >= game.full_tokens
            and not game.rules.discard_at_full_tokens
            and not game.variant.flags & INVERTED
        ):
            return Defect.DISCARD_AT_FULL_TOKENS
        return 0
    if kind in (COLOUR_CLUE, RANK_CLUE):
        if not 0 <= target < game.seats:
            return Defect.SEAT_OUT_OF_RANGE
        if clue_touch(game, kind, value) == -1:
            return Defect.CLUE_NOT_IN_VARIANT
        if target == game.seat and not game.rules.clue_to_self:
            return Defect.CLUE_TO_SELF
        if game.tokens < game.variant.token_unit:
            return Defect.CLUE_WITHOUT_TOKEN
        if _is_kind_repeated(game, kind):
            return Defect.CLUE_KIND_REPEATED
        if not _may_touch_nothing(game, kind) and not touched_indices(game, target, kind, value):
            return Defect.CLUE_TOUCHES_NOTHING
        return 0
    if kind == END_GAME:
        allowed = (EndCondition.TIMEOUT, EndCondition.TERMINATED_BY_PLAYER, EndCondition.IDLE_TIMEOUT)
        return 0 if value in allowed else Defect.UNKNOWN_END
    if kind == END_VOTE:
        return 0 if value == EndCondition.TERMINATED_BY_VOTE else Defect.UNKNOWN_END
    return Defect.UNKNOWN_ACTION


def can_clue(game: Game, held: int) -> bool:
    """Return whether the player to move can give a legal clue.

    `held` is the mask of the identities in the other hands.
    """
    if game.tokens < game.variant.token_unit:
        return False
    if game.rules.clue_to_self:
        for i in range(game.hand_len[game.seat]):
            held |= 1 << game.identity[game.hands[game.seat][i]]
    if not _is_kind_repeated(game, RANK_CLUE):
        empty = _may_touch_nothing(game, RANK_CLUE)
        for rank in range(RANK_SLOTS):
            if game.variant.clue_ranks >> rank & 1 and (empty or held & game.variant.rank_touch[rank]):
                return True
    if not _is_kind_repeated(game, COLOUR_CLUE):
        empty = _may_touch_nothing(game, COLOUR_CLUE)
        for colour in range(game.variant.colours):
            if empty or held & game.variant.colour_touch[colour]:
                return True
    return False


def choose(game: Game, kind: int, target: int, value: int) -> None:
    """Set the choice of the player to move."""
    game.choice.kind = kind
    game.choice.target = target
    game.choice.value = value


def _gain_token(game: Game) -> None:
    """Add a clue token (half a token in Clue Starved) unless the tokens are full."""
    if game.tokens < game.full_tokens:
        game.tokens += 1


def _take_from_hand(game: Game, order: int) -> None:
    """Take a card out of its hand or the deck, show it to all players, and record the slot."""
    seat = game.place[order]
    if seat == IN_DECK:
        game.drawn = order + 1
        for other in range(game.seats):
            _show(game, other, order)
        game.last.slot = 0
        return
    _show(game, seat, order)
    game.clued &= ~(1 << order)
    length = game.hand_len[seat]
    index = 0
    while game.hands[seat][index] != order:
        index += 1
    game.last.slot = length - index
    for i in range(index, length - 1):
        game.hands[seat][i] = game.hands[seat][i + 1]
    game.hand_len[seat] = length - 1


def _give_clue(game: Game, seat: int, kind: int, value: int) -> None:
    """Spend a token on a clue, and apply the clue to the hand of `seat`."""
    game.tokens = max(game.tokens - game.variant.token_unit, 0)
    game.clues_lost += 2
    game.last_clue = kind
    game.last.result = CLUED
    touch = clue_touch(game, kind, value)
    slots = 0
    for i in range(game.hand_len[seat]):
        order = game.hands[seat][i]
        says = touch
        if touch >> game.identity[order] & 1:
            slots |= 1 << (game.hand_len[seat] - 1 - i)
            game.clued |= 1 << order
            if kind == COLOUR_CLUE:
                game.colour_clues[order] += 1
            else:
                game.rank_clues[order] += 1
        else:
            says = ~touch
        if not game.variant.flags & SILENT:
            game.possible[order] &= says
            game.informed |= 1 << order
    game.know.unread |= 1 << seat
    game.last.touched = slots
    if game.rules.card_cycle:
        _cycle(game, game.seat)
        game.know.unread |= 1 << game.seat


def _cycle(game: Game, seat: int) -> None:
    """Move the oldest card that no clue touched to the newest slot."""
    length = game.hand_len[seat]
    for i in range(length):
        order = game.hands[seat][i]
        if not game.clued >> order & 1:
            for j in range(i, length - 1):
                game.hands[seat][j] = game.hands[seat][j + 1]
            game.hands[seat][length - 1] = order
            return


def _can_still_play(game: Game) -> bool:
    """Return whether, in the last round, a player with a turn left holds a playable card."""
    seats = game.seats
    for ahead in range(game.end_turn - game.turn):
        seat = (game.seat + ahead) % seats
        for i in range(game.hand_len[seat]):
            if game.playable >> game.identity[game.hands[seat][i]] & 1:
                return True
    return False


def _find_end(game: Game) -> int:
    """Return the end condition before the next player's turn, a number of `EndCondition`; 0 if play goes on.

    The order of the tests is that of hanab.live.
    """
    full = game.full_score
    if game.strikes >= game.rules.strikes_to_lose:
        return EndCondition.STRIKEOUT
    if game.max_score < full:
        if game.rules.speedrun:
            return EndCondition.SPEEDRUN_FAIL
        if game.rules.all_or_nothing:
            return EndCondition.ALL_OR_NOTHING_FAIL
    if (
        game.rules.all_or_nothing
        and game.hand_len[game.seat] == 0
        and game.tokens < game.variant.token_unit
        and game.raw_score < full
    ):
        return EndCondition.ALL_OR_NOTHING_SOFTLOCK
    if game.turn == game.end_turn or game.raw_score == full:
        return EndCondition.NORMAL
    if game.stuck_rule:
        if game.raw_score == game.max_score:
            return EndCondition.NORMAL
        # While the deck has cards, an incomplete stack below its maximum can still get its next card.
        if game.end_turn >= 0 and not _can_still_play(game):
            return EndCondition.NORMAL
    return 0


def apply_action(game: Game, kind: int, target: int, value: int) -> None:
    """Carry out an action of the player to move; update `last`, the turn, the seat and the end condition.

    The action may be illegal, but must not break a rule of `STOPPING`.
    """
    seat = game.seat
    game.last.drawn = -1
    if kind in (PLAY, DISCARD):
        number = game.identity[target]
        everybody = (1 << game.seats) - 1
        # The other players have already seen a card from a hand, but not a card from the deck.
        new_to_all = game.know.unsure != 0 or game.place[target] == IN_DECK
        game.know.unread |= everybody if new_to_all else 1 << seat
        _take_from_hand(game, target)
        if kind == PLAY and game.playable >> number & 1:
            game.last.result = PLAYED
            game.place[target] = ON_STACK
            game.raw_score += 1
            if grow_stack(game, number) and not game.variant.flags & HOLE:
                if game.tokens == game.full_tokens:
                    game.clues_lost += 2 // game.variant.token_unit
                _gain_token(game)
        else:
            game.place[target] = IN_DISCARD
            if kind == PLAY:
                game.last.result = MISPLAYED
                game.strikes += 1
                game.clues_lost += 2 // game.variant.token_unit
            else:
                game.last.result = DISCARDED
                _gain_token(game)
            lose_card(game, number)
        if game.drawn < game.cards:
            game.last.drawn = game.drawn
            _draw(game, seat)
            game.know.unsure = everybody & ~(1 << seat)
            game.know.new_card = game.last.drawn
        if game.drawn == game.cards and game.end_turn < 0 and not game.rules.all_or_nothing:
            # After this turn each player has one more turn, including the player who drew the card.
            game.end_turn = game.turn + 1 + game.seats
    elif kind in (COLOUR_CLUE, RANK_CLUE):
        _give_clue(game, target, kind, value)
    else:
        game.last.result = ENDED
    game.turn += 1
    game.seat = (seat + 1) % game.seats
    game.end_condition = value if game.last.result == ENDED else _find_end(game)
