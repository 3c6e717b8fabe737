"""An agent that follows the H-Group's conventions of levels 1 and 2 and states the meaning of each move.

A move and its meaning depend only on the player's own view. The agent judges the clues that it could give
with the functions that also read logs.
"""

from __future__ import annotations

from typing import Final

from hanalyze.agents.players import NO_ACTION
from hanalyze.agents.viewpoints import Viewpoints, cover, hide, is_forced, look_around, pair, show, uncover
from hanalyze.conventions.classes import SAVES, conventions_in, is_any, set_of
from hanalyze.conventions.clues import judge_clue
from hanalyze.conventions.inferences import find_readings
from hanalyze.conventions.open_calls import open_step_of
from hanalyze.conventions.opportunities import find_opportunities
from hanalyze.conventions.state import ConventionState, is_number, is_undefined, propose, set_clue
from hanalyze.conventions.steps import MAX_STEPS, clear_chain
from hanalyze.conventions.turn_view import free_behind, is_locked, newest
from hanalyze.engine.game import Game, Ints, next_seats
from hanalyze.engine.knowledge import read_hands
from hanalyze.engine.measure import pace
from hanalyze.engine.rules import choose, find_defect
from hanalyze.game.actions import COLOUR_CLUE, DISCARD, PLAY, RANK_CLUE
from hanalyze.game.cards import RANK_SLOTS
from hanalyze.game.meanings import Convention, StepKind
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import lowest, popcount

kernel_module(__name__)

MEANING_CARDS: Final = MAX_STEPS  # maximum number of cards that a move can call

# --- Layout of a meaning: the convention, the focus, the coin toss (its convention or -1, whether the clue
# was given, and the kind of the alternative), and the called cards.
MEANING_NAME: Final = 0
MEANING_FOCUS: Final = 1
MEANING_TOSSED: Final = 2
MEANING_TAKEN: Final = 3
MEANING_OTHER: Final = 4
MEANING_CALLS: Final = 5
MEANING_SIZE: Final = MEANING_CALLS + MEANING_CARDS


_PLAYS: Final = set_of(
    Convention.PROMPT, Convention.PLAY_CLUE, Convention.DELAYED_PLAY_CLUE, to=Convention.PROMPT_FINESSE
)
"""Conventions of this agent that call cards to be played."""
GIVEN: Final = conventions_in(SAVES | _PLAYS | set_of(Convention.FIVE_STALL))
"""Conventions that this agent chooses to give at its highest level."""
_TOO_MUCH: Final = 1000  # harm of a forbidden clue

# --- Kinds of stalls: none, a 5 off chop, the least harmful clue that all understand, any clue.
NO_STALL: Final = 0
FIVE_STALL: Final = 1
UNDERSTOOD_CLUE: Final = 2
ANY_CLUE: Final = 3

_FEW: Final = 3  # up to this number of players, a save takes precedence over a play


def _set_meaning(meaning: Ints, name: int, focus: int) -> None:
    meaning[MEANING_NAME] = name
    meaning[MEANING_FOCUS] = focus
    for place in range(MEANING_CARDS):
        meaning[MEANING_CALLS + place] = -1


def _play(game: Game, state: ConventionState, meaning: Ints, order: int) -> None:
    """Choose to play a card; write the meaning of the play: prompted, blind or, without a call, plain."""
    chain = open_step_of(state, order)
    name = Convention.PLAIN_PLAY
    if chain >= 0:
        kind = state.calls[chain].steps[state.calls[chain].done].kind
        name = Convention.PROMPTED_PLAY if kind == StepKind.PROMPT else Convention.BLIND_PLAY
    elif state.common.blind >> order & 1:
        name = Convention.BLIND_PLAY
    choose(game, PLAY, order, 0)
    _set_meaning(meaning, name, order)


def _called_card(game: Game, state: ConventionState, seat: int) -> int:
    """Return the earliest-called card that is due to be played blind and may be playable now, -1 if none."""
    best = -1
    blind_plays = state.common.blind & state.turn_view.called
    for order in game.hands[seat][: game.hand_len[seat]]:
        earlier = best < 0 or state.common.call_number[order] < state.common.call_number[best]
        if earlier and blind_plays >> order & 1 and state.turn_view.belief[order] & game.playable:
            best = order
    return best


def _known_play(game: Game, state: ConventionState, seat: int) -> int:
    """Return the known playable card to play, -1 if there is none: called cards first, then low ranks."""
    best = -1
    least = 1000
    for i in range(game.hand_len[seat] - 1, -1, -1):
        order = game.hands[seat][i]
        bit = 1 << order
        if state.turn_view.playable_now & bit == 0 or state.turn_view.known_trash & bit:
            continue
        belief = state.turn_view.belief[order]
        rank = lowest(belief) % RANK_SLOTS
        worth = 10 * rank + popcount(belief) - (100 if state.turn_view.called & bit else 0)
        if worth < least:
            least = worth
            best = order
    return best


def _calls_the_same(state: ConventionState, other: ConventionState, seat: int) -> bool:
    """Return whether two readings of a clue call the same cards of a hand in the same order."""
    mine, theirs = state.verdict.chain, other.verdict.chain
    there = 0
    for here in range(mine.length):
        if mine.steps[here].seat != seat:
            continue
        while there < theirs.length and theirs.steps[there].seat != seat:
            there += 1
        if there == theirs.length or theirs.steps[there].order != mine.steps[here].order:
            return False
        there += 1
    while there < theirs.length:
        if theirs.steps[there].seat == seat:
            return False
        there += 1
    return True


def _is_understood(game: Game, state: ConventionState, viewpoints: Viewpoints) -> bool:
    """Return whether every other player reads a clue as intended, from what they and the giver both see."""
    clue, room = state.clue, viewpoints.cover
    for seat in next_seats(clue.giver, game.seats):
        other = viewpoints.by_players[pair(clue.giver, seat)].state
        cover(game, room, 1 << seat, -1)
        set_clue(game, other.clue, clue.receiver, clue.kind, clue.value, clue.touched)
        judge_clue(game, other, True)
        interpretation = 0
        if seat == clue.receiver and is_any(other.verdict.name, _PLAYS):
            interpretation = find_readings(game, other)
        if is_forced(other, 1 << seat):
            interpretation = 0
            clear_chain(other.verdict.chain)
        gotten_ids = other.turn_view.elsewhere_ids[clue.receiver]
        uncover(game, room, 1 << seat)
        if seat == clue.receiver and not _is_true(game, other, interpretation, gotten_ids):
            return False
        if not _calls_the_same(state, other, seat):
            return False
    return True


def _is_true(game: Game, other: ConventionState, interpretation: int, gotten_ids: int) -> bool:
    """Return whether the receiver's inferences from a clue are true and lead to no misplay."""
    clue, view = other.clue, other.turn_view
    for i in range(game.hand_len[clue.receiver]):
        order = game.hands[clue.receiver][i]
        bit = 1 << order
        if not (view.gotten | clue.touched) & bit:
            continue
        number = game.identity[order]
        possible = game.know.known[clue.receiver][i]
        possible &= clue.identities if clue.touched & bit else ~clue.identities
        message = other.common.inferred[order]
        if interpretation and order == other.verdict.focus:
            message = interpretation
        elif clue.newly & bit and not view.gotten & bit:
            message = ~gotten_ids
        belief = possible & message & view.needed
        if belief == 0:
            belief = possible & view.needed
        if belief == 0:
            continue
        if clue.touched & bit and view.needed >> number & 1 and not belief >> number & 1:
            return False
        if belief & ~game.playable == 0 and not game.playable >> number & 1 and not view.known_trash & bit:
            return False
    return True


def _worth(game: Game, state: ConventionState) -> int:
    """Return the worth of a clue, 0 or less if it must not be given."""
    clue, verdict = state.clue, state.verdict
    if clue.touched == 0:
        return 0
    judge_clue(game, state, True)
    name = verdict.name
    if verdict.legal == 0 or verdict.bad or not is_any(name, SAVES | _PLAYS):
        return 0
    if is_any(name, _PLAYS):
        find_readings(game, state)
    if verdict.reasons or verdict.legal == 0:
        return 0
    by_five = is_number(clue, game.variant.stack_size)
    if by_five and state.turn_view.stall_severity and not verdict.on_chop and clue.newly:
        # The clue would be read as a stall.
        return 0
    if verdict.worth <= 0:
        return 0
    worth = 100 * verdict.worth
    if not clue.newly:
        worth -= 60
    if name == Convention.PLAY_CLUE:
        worth += 30
    elif name == Convention.DELAYED_PLAY_CLUE:
        worth += 20
    elif is_any(name, SAVES):
        worth -= 20
    if verdict.on_chop:
        worth += 10
    return worth - 10 * _may_be_copies(game, state)


def _may_be_copies(game: Game, state: ConventionState) -> int:
    """Return how many newly touched cards may duplicate gotten cards in the giver's hand."""
    clue, view = state.clue, state.turn_view
    may_be = 0
    for order in game.hands[clue.giver][: game.hand_len[clue.giver]]:
        if view.gotten >> order & 1 and not view.known_trash >> order & 1:
            may_be |= view.belief[order]
    count = 0
    for order in game.hands[clue.receiver][: game.hand_len[clue.receiver]]:
        if clue.newly >> order & 1:
            count += may_be >> game.identity[order] & 1
    return count


def _choose_clue(
    game: Game, state: ConventionState, viewpoints: Viewpoints, meaning: Ints, only_chop: int, stall: int
) -> bool:
    """Choose the clue of the highest worth or, as a stall, of the least harm; return whether there is one.

    `only_chop` is the seat whose chop the clue must touch, or -1; `stall` is `NO_STALL` or a kind of stall.
    """
    best = 0
    if game.tokens < game.variant.token_unit or (stall == NO_STALL and is_undefined(game)):
        return False
    for receiver in next_seats(game.seat, game.seats):
        if only_chop >= 0 and receiver != only_chop:
            continue
        for kind in (COLOUR_CLUE, RANK_CLUE):
            for value in range(RANK_SLOTS):
                if find_defect(game, kind, receiver, value) != 0:
                    continue
                propose(game, state.clue, receiver, kind, value)
                if only_chop >= 0 and not state.clue.touched >> state.turn_view.chop[receiver] & 1:
                    continue
                if stall == NO_STALL:
                    worth = _worth(game, state)
                    fits = worth > best and _is_understood(game, state, viewpoints)
                else:
                    worth = _TOO_MUCH - _harm(game, state, viewpoints, stall)
                    fits = worth > best
                if fits and state.verdict.name != viewpoints.declined:
                    best = worth
                    choose(game, kind, receiver, value)
                    _set_meaning(meaning, state.verdict.name, state.verdict.focus)
                    for step in range(state.verdict.chain.length):
                        meaning[MEANING_CALLS + step] = state.verdict.chain.steps[step].order
    return best > 0


def _is_in_danger(game: Game, state: ConventionState, seat: int) -> bool:
    """Return whether a player is about to discard a chop that must be saved."""
    chop = state.turn_view.chop[seat]
    if chop < 0 or game.tokens >= game.full_tokens + game.variant.token_unit:
        return False
    view = state.turn_view
    if (view.playable_now | view.known_trash | view.called & state.common.blind) & view.cards[seat]:
        return False
    number = game.identity[chop]
    if number < 0 or not view.needed >> number & 1:
        return False
    if view.critical >> number & 1:
        return True
    if view.elsewhere_ids[game.seat] >> number & 1:
        return False
    return bool(number % RANK_SLOTS == 2 or game.playable >> number & 1)


def _harm(game: Game, state: ConventionState, viewpoints: Viewpoints, stall: int) -> int:
    """Return the harm of a clue as a stall: low is good, `_TOO_MUCH` if it must not be given."""
    clue, verdict = state.clue, state.verdict
    judge_clue(game, state, True)
    if verdict.name == Convention.FIVE_STALL:
        # The 5 nearest to the chop is preferred.
        behind = free_behind(game, state.turn_view, clue.receiver, verdict.focus, state.common.chop_moved)
        return -100 + popcount(behind)
    if stall == FIVE_STALL:
        return _TOO_MUCH
    is_understood = _is_understood(game, state, viewpoints)
    if not is_understood and stall != ANY_CLUE:
        return _TOO_MUCH
    return 10 * verdict.bad + 5 * popcount(clue.newly) + (0 if is_understood else 100)


def _discard(game: Game, state: ConventionState, meaning: Ints, seat: int) -> bool:
    """Choose a discard and return True, or return False if it is illegal.

    Known trash comes first, then the chop, then the card that is least likely to be critical.
    """
    best = newest(game, seat, state.turn_view.known_trash & state.turn_view.cards[seat])
    if best < 0:
        best = state.turn_view.chop[seat]
    if best < 0:
        least = 1000
        for order in game.hands[seat][: game.hand_len[seat]]:
            belief = state.turn_view.belief[order]
            missed = 100 * popcount(belief & state.turn_view.critical) // max(popcount(belief), 1)
            if missed < least:
                least = missed
                best = order
    if best < 0 or find_defect(game, DISCARD, best, 0) != 0:
        return False
    choose(game, DISCARD, best, 0)
    _set_meaning(meaning, Convention.PLAIN_DISCARD, best)
    return True


def _decide(game: Game, state: ConventionState, viewpoints: Viewpoints, meaning: Ints) -> None:
    """Choose an action from the view of the player to move."""
    seat = game.seat
    find_opportunities(game, state)
    call = _called_card(game, state, seat)
    if call >= 0:
        _play(game, state, meaning, call)
        return
    sure_play = _known_play(game, state, seat)
    # With more players, others can save the chop, and a play helps more players.
    following = (seat + 1) % game.seats
    saves_first = (sure_play < 0 or game.seats <= _FEW) and _is_in_danger(game, state, following)
    if saves_first and _choose_clue(game, state, viewpoints, meaning, following, NO_STALL):
        return
    if sure_play >= 0:
        _play(game, state, meaning, sure_play)
        return
    if _choose_clue(game, state, viewpoints, meaning, -1, NO_STALL):
        return
    severity = state.turn_view.stall_severity
    may_stall = severity >= 1 and (state.offers.best == 0 or state.offers.may_be_left)
    if may_stall and _choose_clue(game, state, viewpoints, meaning, -1, FIVE_STALL):
        return
    forced = is_locked(state.turn_view, seat) or game.tokens >= game.full_tokens
    must_clue = forced or severity == 2 or pace(game) <= 0
    stall = ANY_CLUE if forced else UNDERSTOOD_CLUE
    if must_clue and _choose_clue(game, state, viewpoints, meaning, -1, stall):
        return
    if _discard(game, state, meaning, seat) or _choose_clue(game, state, viewpoints, meaning, -1, ANY_CLUE):
        return
    if game.hand_len[seat] > 0:
        _play(game, state, meaning, game.hands[seat][0])


def _coin(game: Game) -> int:
    """Return a pseudo-random number from 1 to 2**32 for the turn (finaliser of MurmurHash3, Appleby 2011)."""
    x = game.choice.noise + game.turn * 0x9E3779B9 & 0xFFFFFFFF
    x ^= x >> 16
    x = x * 0x85EBCA6B & 0xFFFFFFFF
    x ^= x >> 13
    x = x * 0xC2B2AE35 & 0xFFFFFFFF
    return (x ^ x >> 16) + 1


def _toss(game: Game, state: ConventionState, viewpoints: Viewpoints, meaning: Ints) -> None:
    """Toss a coin between the chosen clue and the best action without its convention."""
    name = meaning[MEANING_NAME]
    viewpoints.declined = name
    choose(game, NO_ACTION, 0, 0)
    _decide(game, state, viewpoints, meaning)
    other = game.choice.kind
    viewpoints.declined = -1
    takes = other == NO_ACTION or _coin(game) < viewpoints.limits[name]
    if takes:
        _decide(game, state, viewpoints, meaning)
    if other != NO_ACTION:
        meaning[MEANING_TOSSED] = name
        meaning[MEANING_TAKEN] = 1 if takes else 0
        meaning[MEANING_OTHER] = other


def choose_by_conventions(game: Game, viewpoints: Viewpoints, meaning: Ints) -> None:
    """Choose an action for the player to move, if any is legal, and write its meaning."""
    seat, room = game.seat, viewpoints.room
    read_hands(game)
    for other in next_seats(seat, game.seats):
        both = 1 << seat | 1 << other
        hide(game, room, both, -1)
        look_around(game, viewpoints.by_players[pair(seat, other)])
        show(game, room, both)
    hide(game, room, 1 << seat, -1)
    look_around(game, viewpoints.by_players[seat])
    _decide(game, viewpoints.by_players[seat].state, viewpoints, meaning)
    meaning[MEANING_TOSSED] = -1
    if viewpoints.limits[meaning[MEANING_NAME]]:
        _toss(game, viewpoints.by_players[seat].state, viewpoints, meaning)
    show(game, room, 1 << seat)
