"""Built-in agents other than the conventional one, as engine functions."""

from __future__ import annotations

from typing import Final

from hanalyze.engine.game import Game, next_seats
from hanalyze.engine.knowledge import read_hands
from hanalyze.engine.measure import chop_index, critical_cards, needed_cards
from hanalyze.engine.rules import choose, clue_touch, find_defect
from hanalyze.game.actions import COLOUR_CLUE, DISCARD, PLAY, RANK_CLUE
from hanalyze.game.cards import RANK_SLOTS
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import popcount

kernel_module(__name__)

AGENTS: Final = ("random", "cautious", "cheating", "conventional")
"""Names of the built-in agents; compiled code uses their indices."""

_RANDOM: Final = 0
_CAUTIOUS: Final = 1

NO_ACTION: Final = -1  # kind of the action if none is legal


def _below(game: Game, limit: int) -> int:
    """Return a random number from 0 to `limit - 1` (xorshift32 by Marsaglia, scaled to `limit`)."""
    x = game.choice.noise
    x ^= (x << 13) & 0xFFFFFFFF
    x ^= x >> 17
    x ^= (x << 5) & 0xFFFFFFFF
    game.choice.noise = x
    return (x * limit) >> 32


def _try(game: Game, kind: int, target: int, value: int) -> bool:
    """Choose an action if it is legal; return whether it is legal."""
    if find_defect(game, kind, target, value) != 0:
        return False
    choose(game, kind, target, value)
    return True


def _any_clue(game: Game) -> bool:
    """Choose the first legal clue, next player first, ranks before colours; return whether there is one."""
    if game.tokens < game.variant.token_unit:
        return False
    for seat in next_seats(game.seat, game.seats):
        for kind in (RANK_CLUE, COLOUR_CLUE):
            for value in range(RANK_SLOTS):
                if _try(game, kind, seat, value):
                    return True
    return False


def _choose_random(game: Game) -> None:
    """Choose uniformly among all legal actions."""
    seat = game.seat
    # Count the legal actions, then find the one that was drawn.
    choice = -1
    for _ in range(2):
        count = 0
        for kind in (PLAY, DISCARD):
            for i in range(game.hand_len[seat] + 1):
                # The top card of the deck comes last: an option allows playing the last card from the deck.
                order = game.hands[seat][i] if i < game.hand_len[seat] else game.drawn
                if find_defect(game, kind, order, 0) == 0:
                    if count == choice:
                        choose(game, kind, order, 0)
                        return
                    count += 1
        for other in range(game.seats):
            for kind in (COLOUR_CLUE, RANK_CLUE):
                for value in range(RANK_SLOTS):
                    if find_defect(game, kind, other, value) == 0:
                        if count == choice:
                            choose(game, kind, other, value)
                            return
                        count += 1
        if count == 0:
            return
        choice = _below(game, count)


def _clue_worth(game: Game, seat: int, touch: int, needed: int, critical: int) -> int:
    """Return the worth of a clue to the cautious agent, 0 or less if the clue is useless.

    Cards that become known to be playable count most; a critical card on the chop and information about a
    playable card also count. Newly touched trash reduces the worth.
    """
    playable = game.playable
    chop = chop_index(game, seat)
    worth = 0
    calls = False
    for i in range(game.hand_len[seat]):
        order = game.hands[seat][i]
        number = game.identity[order]
        before = game.know.known[seat][i]
        touched = touch >> number & 1
        after = before & touch if touched else before & ~touch
        if after == before and game.clued >> order & 1:
            continue
        if playable >> number & 1 and before & ~playable:
            if after & ~playable == 0:
                worth += 40
                calls = True
            elif touched:
                worth += 12 + popcount(before) - popcount(after)
                calls = True
        elif i == chop and touched and critical >> number & 1:
            worth += 30
            calls = True
        if touched and not needed >> number & 1 and not game.clued >> order & 1:
            worth -= 8
    return worth if calls else 0


def _best_clue(game: Game, needed: int, critical: int) -> int:
    """Choose the clue of highest worth, on a tie the first; return its worth, 0 if no clue is useful."""
    best = 0
    if game.tokens < game.variant.token_unit:
        return 0
    for seat in next_seats(game.seat, game.seats):
        for kind in (RANK_CLUE, COLOUR_CLUE):
            for value in range(RANK_SLOTS):
                touch = clue_touch(game, kind, value)
                if touch == -1:
                    continue
                worth = _clue_worth(game, seat, touch, needed, critical)
                if worth > best and find_defect(game, kind, seat, value) == 0:
                    best = worth
                    choose(game, kind, seat, value)
    return best


def _fall_back(game: Game) -> None:
    """Discard the chop or else the oldest card; if illegal, give any clue or else play the oldest card."""
    seat = game.seat
    if game.hand_len[seat] > 0:
        chop = max(chop_index(game, seat), 0)
        if _try(game, DISCARD, game.hands[seat][chop], 0):
            return
    if _any_clue(game):
        return
    if game.hand_len[seat] > 0:
        choose(game, PLAY, game.hands[seat][0], 0)


def _choose_cautious(game: Game) -> None:
    """Play a known playable card; else clue a playable card or critical chop; else discard."""
    seat = game.seat
    playable = game.playable
    read_hands(game)
    for i in range(game.hand_len[seat]):
        if game.know.known[seat][i] & ~playable == 0:
            choose(game, PLAY, game.hands[seat][i], 0)
            return
    needed = needed_cards(game)
    if _best_clue(game, needed, critical_cards(game)) > 0:
        return
    for i in range(game.hand_len[seat]):
        if game.know.known[seat][i] & needed == 0 and _try(game, DISCARD, game.hands[seat][i], 0):
            return
    _fall_back(game)


def _is_spare(game: Game, order: int) -> bool:
    """Return whether any hand, including the holder's own, contains another card of the same identity."""
    for seat in range(game.seats):
        for other in game.hands[seat][: game.hand_len[seat]]:
            if other != order and game.identity[other] == game.identity[order]:
                return True
    return False


def _cheat_discard(game: Game, needed: int, critical: int) -> int:
    """Choose the least valuable discard and return its value, 1000 if none is legal."""
    seat = game.seat
    least = 1000
    for order in game.hands[seat][: game.hand_len[seat]]:
        number = game.identity[order]
        suit = number // RANK_SLOTS
        if not needed >> number & 1:
            missed = 0
        elif _is_spare(game, order):
            missed = 1
        elif critical >> number & 1:
            # Losing a card near the end of its stack costs fewer points.
            missed = 100 + 10 * (game.variant.stack_size - abs(number % RANK_SLOTS - game.top[suit]))
        else:
            missed = 20 - abs(number % RANK_SLOTS - game.top[suit])
        if missed < least and find_defect(game, DISCARD, order, 0) == 0:
            least = missed
            choose(game, DISCARD, order, 0)
    return least


def _somebody_can_play(game: Game) -> bool:
    """Return whether another player who still has a turn holds a playable card."""
    last = game.seats
    if game.end_turn >= 0:
        last = min(last, game.end_turn - game.turn)
    for ahead in range(1, last):
        seat = (game.seat + ahead) % game.seats
        for order in game.hands[seat][: game.hand_len[seat]]:
            if game.playable >> game.identity[order] & 1:
                return True
    return False


def _choose_cheating(game: Game) -> None:
    """Choose with all cards open: play the most useful card; else discard, or clue to keep cards or pace."""
    seat = game.seat
    best = -1
    for order in game.hands[seat][: game.hand_len[seat]]:
        number = game.identity[order]
        if game.playable >> number & 1:
            # A lower stack has more cards to come. A card with a copy in a hand can wait.
            worth = 2 * (game.variant.stack_size - game.stack[number // RANK_SLOTS])
            worth += 0 if _is_spare(game, order) else 1
            if worth > best:
                best = worth
                choose(game, PLAY, order, 0)
    if best >= 0:
        return
    needed = needed_cards(game)
    critical = critical_cards(game)
    pace = game.raw_score + game.cards - game.drawn - game.max_score + game.seats
    last_round = game.end_turn >= 0
    others_play = _somebody_can_play(game)
    if (last_round or (pace <= 0 and others_play)) and _any_clue(game):
        return
    least = _cheat_discard(game, needed, critical)
    if least > 1 and not _any_clue(game) and least == 1000:
        _fall_back(game)


def choose_action(game: Game, agent: int) -> None:
    """Set `choice` to the action of agent number `agent`; its kind is `NO_ACTION` if nothing is legal."""
    game.choice.kind = NO_ACTION
    if agent == _RANDOM:
        _choose_random(game)
    elif agent == _CAUTIOUS:
        _choose_cautious(game)
    else:
        _choose_cheating(game)
