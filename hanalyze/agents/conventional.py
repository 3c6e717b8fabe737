"""A player that keeps to the H-Group's conventions of levels 1 and 2, and says what each move means.

In: a running game and the views of its players (`hanalyze.agents.views`). Out: an action, and with it what
the player means by it: a convention, the card that it is about and the cards that it calls. Both come from
the own view alone and are fixed before the move. What a clue means is judged by the functions that read logs.
"""

from __future__ import annotations

from typing import Final

from hanalyze.agents import views as own
from hanalyze.agents.players import choose
from hanalyze.agents.views import cover, hide, is_forced, look_around, pair, show, uncover
from hanalyze.conventions import codes
from hanalyze.conventions import state as at
from hanalyze.conventions.calls import open_step_of
from hanalyze.conventions.chains import clear_chain
from hanalyze.conventions.hands import is_locked, is_undefined
from hanalyze.conventions.judge import cards_behind, elsewhere, judge_clue
from hanalyze.conventions.opportunities import find_opportunities
from hanalyze.conventions.readings import find_readings
from hanalyze.engine.game import Game, Ints
from hanalyze.engine.knowledge import read_hands
from hanalyze.engine.measure import pace
from hanalyze.engine.step import COLOUR_CLUE, DISCARD, PLAY, RANK_CLUE, find_defect
from hanalyze.game.cards import RANK_SLOTS
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import lowest, popcount

__all__ = ["MEANT", "MEANT_CALLS", "MEANT_FOCUS", "MEANT_SIZE", "choose_by_conventions"]

MEANT_CARDS: Final = at.MAX_STEPS
"""Cards that a move can call."""

# --- What is written of a move: its convention, its focus, the cards that it calls.
MEANT: Final = 0
MEANT_FOCUS: Final = 1
MEANT_CALLS: Final = 2
MEANT_SIZE: Final = MEANT_CALLS + MEANT_CARDS


_FEW: Final = 3
"""Players up to whom a save goes before a play."""


@kernel
def _mean(meant: Ints, name: int, focus: int) -> None:
    meant[MEANT] = name
    meant[MEANT_FOCUS] = focus
    for place in range(MEANT_CARDS):
        meant[MEANT_CALLS + place] = -1


@kernel
def _play(game: Game, v: Ints, meant: Ints, order: int) -> None:
    """Play a card, which answers a call if it is the open step of one."""
    chain = open_step_of(v, order)
    name = codes.PLAIN_PLAY
    if chain >= 0:
        kind = v[at.step_at(chain, v[at.chain_at(chain) + at.CHAIN_DONE]) + at.STEP_KIND]
        name = codes.PROMPTED_PLAY if kind == codes.PROMPT_STEP else codes.BLIND_PLAY
    elif v[at.FINESSED] >> order & 1:
        name = codes.BLIND_PLAY
    choose(game, PLAY, order, 0)
    _mean(meant, name, order)


@kernel
def _called_card(game: Game, v: Ints, seat: int) -> int:
    """Return the own card that was called first to be played blind and may fit now, -1 if there is none."""
    best = -1
    for i in range(game.hand_len[seat]):
        order = game.hands[seat][i]
        bit = 1 << order
        earlier = best < 0 or v[at.CALL_NUMBER + order] < v[at.CALL_NUMBER + best]
        if earlier and v[at.FINESSED] & v[at.CALLED] & bit and v[at.SEES + order] & game.playable:
            best = order
    return best


@kernel
def _known_play(game: Game, v: Ints, seat: int) -> int:
    """Return the own card to play of those that are known to fit, -1 if there is none: prompted, then low."""
    best = -1
    least = 1000
    for i in range(game.hand_len[seat] - 1, -1, -1):
        order = game.hands[seat][i]
        bit = 1 << order
        if v[at.PLAYABLE_NOW] & bit == 0 or v[at.KNOWN_TRASH] & bit:
            continue
        sees = v[at.SEES + order]
        rank = lowest(sees) % RANK_SLOTS
        worth = 10 * rank + popcount(sees) - (100 if v[at.CALLED] & bit else 0)
        if worth < least:
            least = worth
            best = order
    return best


@kernel
def _look_in_common(game: Game, views: Ints, seat: int) -> None:
    """Bring up to date what a player has in common with each of the others."""
    room = views[own.ROOM]
    for other in range(game.seats):
        if other != seat:
            both = 1 << seat | 1 << other
            hide(game, room, both, -1)
            look_around(game, views[pair(seat, other)])
            show(game, room, both)


@kernel
def _calls_the_same(v: Ints, w: Ints, seat: int) -> bool:
    """Return whether two judgements of a clue call the same cards of a hand, in the same order."""
    there = 0
    for step in range(v[at.STEPS]):
        place = at.STEP + step * at.STEP_SIZE
        if v[place + at.STEP_SEAT] != seat:
            continue
        while there < w[at.STEPS] and w[at.STEP + there * at.STEP_SIZE + at.STEP_SEAT] != seat:
            there += 1
        if there == w[at.STEPS]:
            return False
        other = at.STEP + there * at.STEP_SIZE
        if w[other + at.STEP_ORDER] != v[place + at.STEP_ORDER]:
            return False
        there += 1
    while there < w[at.STEPS]:
        if w[at.STEP + there * at.STEP_SIZE + at.STEP_SEAT] == seat:
            return False
        there += 1
    return True


@kernel
def _is_understood(
    game: Game, v: Ints, views: Ints, receiver: int, kind: int, value: int, touch: int, touched: int
) -> bool:
    """Return whether a clue that was just judged calls for all others what it calls for its giver.

    They judge it by what they have in common with the giver.
    """
    giver = game.seat
    room = views[own.ROOM + 1]
    for ahead in range(1, game.seats):
        seat = (giver + ahead) % game.seats
        w = views[pair(giver, seat)]
        cover(game, room, 1 << seat, -1)
        judge_clue(game, w, giver, receiver, kind, value, touch, touched, True)
        taken = 0
        if seat == receiver and _calls_to_play(w[at.MAIN]):
            taken = find_readings(game, w, giver, receiver, kind, value, touch)
        if is_forced(w, 1 << seat):
            taken = 0
            clear_chain(w)
        held = elsewhere(game, w, receiver)
        uncover(game, room, 1 << seat)
        if seat == receiver and not _is_true(game, w, receiver, touch, touched, taken, held):
            return False
        if not _calls_the_same(v, w, seat):
            return False
    return True


@kernel
def _is_true(game: Game, w: Ints, receiver: int, touch: int, touched: int, taken: int, held: int) -> bool:
    """Return whether the receiver of a clue is left with true cards, and none that it would misplay."""
    playable = game.playable
    for i in range(game.hand_len[receiver]):
        order = game.hands[receiver][i]
        bit = 1 << order
        if not (w[at.GOTTEN] | touched) & bit:
            continue
        number = game.identity[order]
        possible = game.know.known[receiver][i]
        possible &= touch if touched & bit else ~touch
        told = w[at.INFERRED + order]
        if taken and order == w[at.FOCUS]:
            told = taken
        elif w[at.NEWLY] & bit and not w[at.GOTTEN] & bit:
            told = ~held
        sees = possible & told & w[at.NEEDED]
        if sees == 0:
            sees = possible & w[at.NEEDED]
        if sees == 0:
            continue
        if touched & bit and w[at.NEEDED] >> number & 1 and not sees >> number & 1:
            return False
        if sees & ~playable == 0 and not playable >> number & 1 and not w[at.KNOWN_TRASH] & bit:
            return False
    return True


@kernel
def _calls_to_play(name: int) -> bool:
    """Return whether a convention, of those that are played here, is to get cards played."""
    return codes.PLAY_CLUE <= name <= codes.DELAYED_PLAY_CLUE or codes.PROMPT <= name <= codes.PROMPT_FINESSE


@kernel
def _worth(game: Game, v: Ints, receiver: int, kind: int, value: int, touch: int) -> int:
    """Return what a clue is worth, 0 if it is not to be given; it has been judged then."""
    seat = game.seat
    touched = 0
    for i in range(game.hand_len[receiver]):
        order = game.hands[receiver][i]
        touched |= (touch >> game.identity[order] & 1) << order
    if touched == 0:
        return 0
    judge_clue(game, v, seat, receiver, kind, value, touch, touched, True)
    name = v[at.MAIN]
    saves = codes.FIVE_SAVE <= name <= codes.CRITICAL_SAVE
    if v[at.LEGAL] == 0 or v[at.BAD] or not (saves or _calls_to_play(name)):
        return 0
    if _calls_to_play(name):
        find_readings(game, v, seat, receiver, kind, value, touch)
    if v[at.WHY] or v[at.LEGAL] == 0:
        return 0
    by_five = kind == RANK_CLUE and value == game.variant.stack_size
    if by_five and v[at.SEVERITY] and not v[at.ON_CHOP] and v[at.NEWLY]:
        # It would be taken for a stall.
        return 0
    got = v[at.WORTH]
    if got <= 0:
        return 0
    worth = 100 * got
    if not v[at.NEWLY]:
        worth -= 60
    if name == codes.PLAY_CLUE:
        worth += 30
    elif name == codes.DELAYED_PLAY_CLUE:
        worth += 20
    elif saves:
        worth -= 20
    if v[at.ON_CHOP]:
        worth += 10
    return int(worth - 10 * _may_be_copies(game, v, seat, receiver))


@kernel
def _may_be_copies(game: Game, v: Ints, seat: int, receiver: int) -> int:
    """Return how many newly touched cards may be copies of own gotten cards."""
    may_be = 0
    for i in range(game.hand_len[seat]):
        order = game.hands[seat][i]
        if v[at.GOTTEN] >> order & 1 and not v[at.KNOWN_TRASH] >> order & 1:
            may_be |= v[at.SEES + order]
    count = 0
    for i in range(game.hand_len[receiver]):
        order = game.hands[receiver][i]
        if v[at.NEWLY] >> order & 1:
            count += may_be >> game.identity[order] & 1
    return int(count)


@kernel
def _best_clue(game: Game, v: Ints, views: Ints, meant: Ints, only_chop: int, least: int) -> int:
    """Choose the clue that is worth most, more than `least`, and return its worth.

    With `only_chop` the seat whose chop it must touch, else -1.
    """
    best = least
    if game.tokens < game.variant.token_unit or is_undefined(game):
        return 0
    seat = game.seat
    for ahead in range(1, game.seats):
        receiver = (seat + ahead) % game.seats
        if only_chop >= 0 and receiver != only_chop:
            continue
        for kind in (COLOUR_CLUE, RANK_CLUE):
            for value in range(RANK_SLOTS):
                if find_defect(game, kind, receiver, value) != 0:
                    continue
                touch = (
                    game.variant.colour_touch[value]
                    if kind == COLOUR_CLUE
                    else game.variant.rank_touch[value]
                )
                worth = _worth(game, v, receiver, kind, value, touch)
                if only_chop >= 0 and not v[at.TOUCHED] >> v[at.CHOP + receiver] & 1:
                    continue
                if worth > best and _is_understood(
                    game, v, views, receiver, kind, value, touch, v[at.TOUCHED]
                ):
                    best = worth
                    choose(game, kind, receiver, value)
                    _mean_judged(v, meant)
    return best if best > least else 0


@kernel
def _mean_judged(v: Ints, meant: Ints) -> None:
    """Mean what was judged last."""
    _mean(meant, v[at.MAIN], v[at.FOCUS])
    for step in range(v[at.STEPS]):
        meant[MEANT_CALLS + step] = v[at.STEP + step * at.STEP_SIZE + at.STEP_ORDER]


@kernel
def _is_in_danger(game: Game, v: Ints, seat: int) -> bool:
    """Return whether a player has nothing better to do than to discard a chop that must be kept."""
    chop = v[at.CHOP + seat]
    if chop < 0 or game.tokens >= game.full_tokens + game.variant.token_unit:
        return False
    cards = v[at.CARDS + seat]
    if (v[at.PLAYABLE_NOW] | v[at.KNOWN_TRASH]) & cards or v[at.CALLED] & v[at.FINESSED] & cards:
        return False
    number = game.identity[chop]
    if number < 0 or not v[at.NEEDED] >> number & 1:
        return False
    if v[at.CRITICAL] >> number & 1:
        return True
    if elsewhere(game, v, game.seat) >> number & 1:
        return False
    return bool(number % RANK_SLOTS == 2 or game.playable >> number & 1)


@kernel
def _stall(game: Game, v: Ints, views: Ints, meant: Ints, forced: bool, whatever: bool) -> bool:
    """Choose a stall: a 5 off chop; where the player is forced to clue, any clue that does least harm."""
    if game.tokens < game.variant.token_unit:
        return False
    seat = game.seat
    least = 1000
    for ahead in range(1, game.seats):
        receiver = (seat + ahead) % game.seats
        for kind in (COLOUR_CLUE, RANK_CLUE):
            for value in range(RANK_SLOTS):
                if find_defect(game, kind, receiver, value) != 0:
                    continue
                touch = (
                    game.variant.colour_touch[value]
                    if kind == COLOUR_CLUE
                    else game.variant.rank_touch[value]
                )
                touched = 0
                for i in range(game.hand_len[receiver]):
                    order = game.hands[receiver][i]
                    touched |= (touch >> game.identity[order] & 1) << order
                judge_clue(game, v, seat, receiver, kind, value, touch, touched, True)
                if v[at.MAIN] == codes.FIVE_STALL:
                    # Of several the 5 nearest to the chop.
                    harm = -100 + popcount(cards_behind(game, v, receiver, v[at.FOCUS]))
                elif not forced:
                    continue
                else:
                    understood = _is_understood(game, v, views, receiver, kind, value, touch, touched)
                    if not understood and not whatever:
                        continue
                    harm = 10 * v[at.BAD] + 5 * popcount(v[at.NEWLY]) + (0 if understood else 100)
                if harm < least:
                    least = harm
                    choose(game, kind, receiver, value)
                    _mean_judged(v, meant)
    return least < 1000


@kernel
def _discard(game: Game, v: Ints, meant: Ints, seat: int) -> bool:
    """Choose the discard: known trash, else the chop, else the card that is missed least."""
    best = -1
    for i in range(game.hand_len[seat] - 1, -1, -1):
        order = game.hands[seat][i]
        if v[at.KNOWN_TRASH] >> order & 1:
            best = order
            break
    if best < 0:
        best = v[at.CHOP + seat]
    if best < 0:
        least = 1000
        for i in range(game.hand_len[seat]):
            order = game.hands[seat][i]
            sees = v[at.SEES + order]
            missed = 100 * popcount(sees & v[at.CRITICAL]) // max(popcount(sees), 1)
            if missed < least:
                least = missed
                best = order
    if best < 0 or find_defect(game, DISCARD, best, 0) != 0:
        return False
    choose(game, DISCARD, best, 0)
    _mean(meant, codes.PLAIN_DISCARD, best)
    return True


@kernel
def _decide(game: Game, v: Ints, views: Ints, meant: Ints) -> None:
    """Choose an action from what the view of the player to move holds."""
    seat = game.seat
    find_opportunities(game, v)
    called = _called_card(game, v, seat)
    if called >= 0:
        _play(game, v, meant, called)
        return
    known = _known_play(game, v, seat)
    # With more players, others had their chances to save it, and the play gets more of them going.
    if known < 0 or game.seats <= _FEW:
        following = (seat + 1) % game.seats
        if _is_in_danger(game, v, following) and _best_clue(game, v, views, meant, following, 0):
            return
    if known >= 0:
        _play(game, v, meant, known)
        return
    if _best_clue(game, v, views, meant, -1, 0):
        return
    nothing = v[at.BEST] == 0 or v[at.MAY_BE_LEFT]
    if nothing and v[at.SEVERITY] >= 1 and _stall(game, v, views, meant, False, False):
        return
    forced = is_locked(v, seat) or game.tokens >= game.full_tokens
    if (forced or v[at.SEVERITY] == 2 or pace(game) <= 0) and _stall(game, v, views, meant, True, forced):
        return
    if _discard(game, v, meant, seat):
        return
    if _stall(game, v, views, meant, True, True):
        return
    if game.hand_len[seat] > 0:
        _play(game, v, meant, game.hands[seat][0])


@kernel
def choose_by_conventions(game: Game, views: Ints, meant: Ints) -> None:
    """Put what the player to move does into `CHOICE`, and what it means into `meant`.

    `CHOICE` stays what it is if nothing is legal.
    """
    seat = game.seat
    v = views[seat]
    room = views[own.ROOM]
    read_hands(game)
    _look_in_common(game, views, seat)
    hide(game, room, 1 << seat, -1)
    look_around(game, v)
    _decide(game, v, views, meant)
    show(game, room, 1 << seat)
