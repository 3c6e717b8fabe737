"""The players that make games: what each does in a position.

In: a running game, and room to work in. Out: one legal action. They are engine functions, so that they are
quick; a player sees what the rules let it see, but for the one that cheats.
"""

from __future__ import annotations

from typing import Final

from hanalyze.engine import state as at
from hanalyze.engine.knowledge import read_hands
from hanalyze.engine.measure import chop_index, clued, critical_cards, needed_cards
from hanalyze.engine.state import Ints, in_hand
from hanalyze.engine.step import COLOUR_CLUE, DISCARD, PLAY, RANK_CLUE, find_defect
from hanalyze.game.cards import MAX_SUITS, RANK_SLOTS
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import popcount

__all__ = ["AGENTS", "NO_ACTION", "choose", "choose_action"]

AGENTS: Final = ("random", "cautious", "cheating", "conventional")
"""Names of the players; the compiled code knows them by their place in this list, but for the last, who
plays by `hanalyze.agents.conventional`."""

_RANDOM: Final = 0
_CAUTIOUS: Final = 1

NO_ACTION: Final = -1
"""Kind of the action of a player who has none that is legal."""


@kernel
def _below(s: Ints, limit: int) -> int:
    """Return a random number from 0 to `limit - 1` (Marsaglia's xorshift32, scaled by its upper bits)."""
    x = s[at.NOISE]
    x ^= (x << 13) & 0xFFFFFFFF
    x ^= x >> 17
    x ^= (x << 5) & 0xFFFFFFFF
    s[at.NOISE] = x
    return int((x * limit) >> 32)


@kernel
def choose(s: Ints, kind: int, target: int, value: int) -> None:
    """Make an action the choice of the player to move."""
    s[at.CHOICE] = kind
    s[at.CHOICE + 1] = target
    s[at.CHOICE + 2] = value


@kernel
def _try(s: Ints, kind: int, target: int, value: int) -> bool:
    """Choose an action if it is legal, and return whether it is."""
    if find_defect(s, kind, target, value) != 0:
        return False
    choose(s, kind, target, value)
    return True


@kernel
def _any_clue(s: Ints) -> bool:
    """Choose the first legal clue, the next player's first, and return whether there is one."""
    if s[at.TOKENS] < s[at.TOKEN_UNIT]:
        return False
    for ahead in range(1, s[at.SEATS]):
        seat = (s[at.SEAT] + ahead) % s[at.SEATS]
        for rank in range(RANK_SLOTS):
            if _try(s, RANK_CLUE, seat, rank):
                return True
        for colour in range(MAX_SUITS):
            if _try(s, COLOUR_CLUE, seat, colour):
                return True
    return False


@kernel
def _choose_random(s: Ints) -> None:
    """Choose among all legal actions, each as likely as the other."""
    seat = s[at.SEAT]
    # Two rounds over the same list: count the legal actions, then take the one that was drawn.
    wanted = -1
    for _ in range(2):
        count = 0
        for kind in (PLAY, DISCARD):
            for i in range(s[at.HAND_LEN + seat] + 1):
                # The last is the card on top of the deck, where it may be played from there.
                order = s[in_hand(seat, i)] if i < s[at.HAND_LEN + seat] else s[at.DRAWN]
                if find_defect(s, kind, order, 0) == 0:
                    if count == wanted:
                        choose(s, kind, order, 0)
                        return
                    count += 1
        for other in range(s[at.SEATS]):
            for kind in (COLOUR_CLUE, RANK_CLUE):
                for value in range(RANK_SLOTS):
                    if find_defect(s, kind, other, value) == 0:
                        if count == wanted:
                            choose(s, kind, other, value)
                            return
                        count += 1
        if count == 0:
            return
        wanted = _below(s, count)


@kernel
def _clue_worth(s: Ints, seat: int, touch: int, needed: int, critical: int) -> int:
    """Return what a clue is worth to the cautious player, 0 or less if nothing.

    Most for cards that become known to be playable, then for a critical card on the chop, then for telling
    more of a playable card; less for every touched card that nobody needs.
    """
    playable = s[at.PLAYABLE]
    chop = chop_index(s, seat)
    worth = 0
    calls = False
    for i in range(s[at.HAND_LEN + seat]):
        order = s[in_hand(seat, i)]
        number = s[at.IDENTITY + order]
        before = s[at.KNOWN + seat * at.MAX_HAND + i]
        touched = touch >> number & 1
        after = before & touch if touched else before & ~touch
        if after == before and clued(s, order):
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
        if touched and not needed >> number & 1 and not clued(s, order):
            worth -= 8
    return worth if calls else 0


@kernel
def _best_clue(s: Ints, needed: int, critical: int) -> int:
    """Choose the clue that is worth most, of equals the first in turn order, and return its worth."""
    best = 0
    if s[at.TOKENS] < s[at.TOKEN_UNIT]:
        return 0
    for ahead in range(1, s[at.SEATS]):
        seat = (s[at.SEAT] + ahead) % s[at.SEATS]
        for rank in range(1, RANK_SLOTS):
            if s[at.CLUE_RANKS] >> rank & 1:
                touch = s[at.RANK_TOUCH + rank]
                worth = _clue_worth(s, seat, touch, needed, critical)
                if worth > best and find_defect(s, RANK_CLUE, seat, rank) == 0:
                    best = worth
                    choose(s, RANK_CLUE, seat, rank)
        for colour in range(s[at.COLOURS]):
            touch = s[at.COLOUR_TOUCH + colour]
            worth = _clue_worth(s, seat, touch, needed, critical)
            if worth > best and find_defect(s, COLOUR_CLUE, seat, colour) == 0:
                best = worth
                choose(s, COLOUR_CLUE, seat, colour)
    return best


@kernel
def _fall_back(s: Ints) -> None:
    """Discard the chop, else the oldest card; where it is forbidden, clue anything, else play the oldest."""
    seat = s[at.SEAT]
    if s[at.HAND_LEN + seat] > 0:
        chop = max(chop_index(s, seat), 0)
        if _try(s, DISCARD, s[in_hand(seat, chop)], 0):
            return
    if _any_clue(s):
        return
    if s[at.HAND_LEN + seat] > 0:
        choose(s, PLAY, s[in_hand(seat, 0)], 0)


@kernel
def _choose_cautious(s: Ints) -> None:
    """Play what is known to be playable, clue playable and endangered cards, discard trash, then the chop."""
    seat = s[at.SEAT]
    playable = s[at.PLAYABLE]
    read_hands(s)
    for i in range(s[at.HAND_LEN + seat]):
        if s[at.KNOWN + seat * at.MAX_HAND + i] & ~playable == 0:
            choose(s, PLAY, s[in_hand(seat, i)], 0)
            return
    needed = needed_cards(s)
    if _best_clue(s, needed, critical_cards(s)) > 0:
        return
    for i in range(s[at.HAND_LEN + seat]):
        if s[at.KNOWN + seat * at.MAX_HAND + i] & needed == 0 and _try(s, DISCARD, s[in_hand(seat, i)], 0):
            return
    _fall_back(s)


@kernel
def _is_spare(s: Ints, seat: int, index: int) -> bool:
    """Return whether somebody, the holder too, has another card of the same identity in hand."""
    number = s[at.IDENTITY + s[in_hand(seat, index)]]
    for other in range(s[at.SEATS]):
        for i in range(s[at.HAND_LEN + other]):
            if (other != seat or i != index) and s[at.IDENTITY + s[in_hand(other, i)]] == number:
                return True
    return False


@kernel
def _play_worth(s: Ints, number: int) -> int:
    """Return how much a playable card is worth playing at once: the lower its stack, the more follows."""
    suit = number // RANK_SLOTS
    return int(s[at.STACK_SIZE] - s[at.STACK + suit])


@kernel
def _cheat_discard(s: Ints, needed: int, critical: int) -> int:
    """Choose the card that is missed least and return how much, 1000 if none may be discarded."""
    seat = s[at.SEAT]
    least = 1000
    for i in range(s[at.HAND_LEN + seat]):
        order = s[in_hand(seat, i)]
        number = s[at.IDENTITY + order]
        suit = number // RANK_SLOTS
        if not needed >> number & 1:
            missed = 0
        elif _is_spare(s, seat, i):
            missed = 1
        elif critical >> number & 1:
            # The nearer the end of its stack, the fewer points go with it.
            missed = 100 + 10 * (s[at.STACK_SIZE] - abs(number % RANK_SLOTS - s[at.TOP + suit]))
        else:
            missed = 20 - abs(number % RANK_SLOTS - s[at.TOP + suit])
        if missed < least and find_defect(s, DISCARD, order, 0) == 0:
            least = missed
            choose(s, DISCARD, order, 0)
    return least


@kernel
def _somebody_can_play(s: Ints) -> bool:
    """Return whether another player who still has a turn holds a playable card."""
    last = s[at.SEATS]
    if s[at.END_TURN] >= 0:
        last = min(last, s[at.END_TURN] - s[at.TURN])
    for ahead in range(1, last):
        seat = (s[at.SEAT] + ahead) % s[at.SEATS]
        for i in range(s[at.HAND_LEN + seat]):
            if s[at.PLAYABLE] >> s[at.IDENTITY + s[in_hand(seat, i)]] & 1:
                return True
    return False


@kernel
def _choose_cheating(s: Ints) -> None:
    """Choose with all cards open: play what opens most, keep what is needed, stall when short of pace."""
    seat = s[at.SEAT]
    best = -1
    for i in range(s[at.HAND_LEN + seat]):
        number = s[at.IDENTITY + s[in_hand(seat, i)]]
        if s[at.PLAYABLE] >> number & 1:
            # A card that another player could play as well can wait for them if mine opens more.
            worth = 2 * _play_worth(s, number) + (0 if _is_spare(s, seat, i) else 1)
            if worth > best:
                best = worth
                choose(s, PLAY, s[in_hand(seat, i)], 0)
    if best >= 0:
        return
    needed = needed_cards(s)
    critical = critical_cards(s)
    pace = s[at.RAW_SCORE] + s[at.CARDS] - s[at.DRAWN] - s[at.MAX_SCORE] + s[at.SEATS]
    last_round = s[at.END_TURN] >= 0
    others_play = _somebody_can_play(s)
    if (last_round or (pace <= 0 and others_play)) and _any_clue(s):
        return
    least = _cheat_discard(s, needed, critical)
    if least <= 1:
        return
    if _any_clue(s):
        return
    if least == 1000:
        _fall_back(s)


@kernel
def choose_action(s: Ints, agent: int) -> None:
    """Put what agent number `agent` does into `CHOICE`; kind `NO_ACTION` if nothing is legal."""
    s[at.CHOICE] = NO_ACTION
    if agent == _RANDOM:
        _choose_random(s)
    elif agent == _CAUTIOUS:
        _choose_cautious(s)
    else:
        _choose_cheating(s)
