"""The position as the solver represents it, the moves worth trying, and a table of excluded positions.

All stacks are built upwards. A card is the bit `suit * 5 + place on its stack`, both from 0.
"""

from __future__ import annotations

from typing import Annotated, Final

from hanalyze.engine.game import HOLE, MAX_SEATS, Game, VariantLookup
from hanalyze.game.cards import MAX_CARDS, RANK_SLOTS
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import members, popcount
from hanalyze.kernels.record import Record, Row

kernel_module(__name__)

RANKS: Final = 5
MOST_MOVES: Final = 20
"""Upper bound on the moves of a turn: six plays, six discards or misplays of needed cards, one clue."""
POOLED: Final = 1 << 30  # bit of `State.pool` that marks the existence of a pool; every hand then has trash

# --- Kinds of moves. A move is encoded as `kind << 5 | card`.
PLAY_CARD: Final = 0
DROP: Final = 1  # discard a needed card
TRASH: Final = 2  # discard trash
CLUE: Final = 3
MISS: Final = 4  # misplay a needed card
MISS_TRASH: Final = 5  # misplay trash


class Setting(Record):
    """Constants of a search. Written by `state`, `question`."""

    seats: int
    hand_size: int
    cards: int  # number of cards of the whole deck
    full_tokens: int  # maximum number of clue tokens, in units as `Game.tokens`
    unit: int  # units that a clue takes
    bonus: int  # units that completing a stack gives
    strikes: int  # strikes that end the game
    free_discards: int  # 1 if the rules allow discards at full tokens
    starts: int  # mask of the first card of each stack
    ends: int  # mask of the last card of each stack
    goal: int  # the score to reach
    relaxed: int  # 1 in the relaxed game: cards may be discarded at full tokens, and strikes do not exist
    misses: int  # 1 if misplays are tried
    noise: int  # upper bound of the random increase of ratings in a beam; 0 for none
    deck: Annotated[Row, MAX_CARDS]  # bit of each card, by order
    ahead: Annotated[Row, MAX_CARDS + 1]  # mask of the cards from each order on


class State(Record):
    """A position, reduced to what matters with open cards. Written by `state`, `bounds`, `exact`.

    It omits clues, the order of cards in a hand, and cards that no stack can need (*trash*). A second copy of
    a card in the same hand is trash, too.
    """

    hands: Annotated[Row, MAX_SEATS]  # mask of the needed cards in each hand
    pool: int  # mask of the needed cards that any player may play; with `POOLED` if there is such a pool
    played: int  # mask of the cards on the stacks: the lowest bits of each suit
    drawn: int  # number of cards drawn so far, which is the order of the next card
    tokens: int  # clue tokens, in units as `Game.tokens`
    strikes: int
    seat: int
    left: int  # turns left once the deck is empty
    reach: int  # mask of the cards that are played or can still be played, computed from the other fields


def bit_of(variant: VariantLookup, number: int) -> int:
    """Return the bit of identity `number`."""
    suit = number // RANK_SLOTS
    rank = number % RANK_SLOTS
    place = variant.stack_size - rank if variant.reversed >> suit & 1 else rank - 1
    return 1 << (suit * RANKS + place)


def fitting(setting: Setting, played: int) -> int:
    """Return the mask of the cards that fit a stack now."""
    return (played << 1 | setting.starts) & ~played & (POOLED - 1)


def closure(setting: Setting, played: int, cards: int) -> int:
    """Return the mask of `played` and of the cards that can be added with `cards` and unlimited turns."""
    cards &= POOLED - 1
    more = (played << 1 | setting.starts) & ~played & cards
    while more:
        played |= more
        more = (played << 1 | setting.starts) & ~played & cards
    return played


def set_up(setting: Setting, game: Game, hand_size: int) -> None:
    """Copy the parameters of the game's rules, variant and deck."""
    setting.seats = game.seats
    setting.hand_size = hand_size
    setting.cards = game.cards
    setting.full_tokens = game.full_tokens
    setting.unit = game.variant.token_unit
    setting.bonus = 0 if game.variant.flags & HOLE else 1
    setting.strikes = game.rules.strikes_to_lose
    setting.free_discards = game.rules.discard_at_full_tokens
    setting.starts = 0
    setting.ends = 0
    for suit in range(game.variant.suits):
        setting.starts |= 1 << (suit * RANKS)
        setting.ends |= 1 << (suit * RANKS + game.variant.stack_size - 1)
    setting.ahead[game.cards] = 0
    for back in range(game.cards):
        order = game.cards - 1 - back
        setting.deck[order] = bit_of(game.variant, game.identity[order])
        setting.ahead[order] = setting.ahead[order + 1] | setting.deck[order]


def take_position(setting: Setting, game: Game, state: State) -> None:
    """Set `state` to the position of a running game."""
    state.played = 0
    for suit in range(game.variant.suits):
        state.played |= ((1 << game.stack[suit]) - 1) << (suit * RANKS)
    state.pool = 0
    for seat in range(MAX_SEATS):
        state.hands[seat] = 0
    for seat in range(game.seats):
        for i in range(game.hand_len[seat]):
            state.hands[seat] |= bit_of(game.variant, game.identity[game.hands[seat][i]])
    state.drawn = game.drawn
    state.tokens = game.tokens
    state.strikes = game.strikes
    state.seat = game.seat
    state.left = game.end_turn - game.turn if game.end_turn >= 0 else game.seats
    settle(setting, state)


def settle(setting: Setting, state: State) -> None:
    """Compute the cards that can still be played, and remove all other cards from hands and pool."""
    cards = state.pool | setting.ahead[state.drawn]
    for seat in range(setting.seats):
        cards |= state.hands[seat]
    reach = closure(setting, state.played, cards)
    state.reach = reach
    need = reach & ~state.played
    for seat in range(setting.seats):
        state.hands[seat] &= need
    state.pool &= need | POOLED


def copy_state(state: State, to: State) -> None:
    """Copy a position to `to`."""
    for seat in range(MAX_SEATS):
        to.hands[seat] = state.hands[seat]
    to.pool = state.pool
    to.played = state.played
    to.drawn = state.drawn
    to.tokens = state.tokens
    to.strikes = state.strikes
    to.seat = state.seat
    to.left = state.left
    to.reach = state.reach


def _elsewhere(setting: Setting, state: State) -> int:
    """Return the mask of the cards in the deck, the pool and the hands of players who are not to move."""
    cards = setting.ahead[state.drawn] | state.pool
    for seat in range(setting.seats):
        if seat != state.seat:
            cards |= state.hands[seat]
    return cards


def list_moves(setting: Setting, state: State, moves: Row) -> int:
    """Write the moves that are worth trying while the deck lasts; return their number.

    Three exchange arguments limit the moves; the line after the better move copies the line after the other:

    - With trash in hand, no needed card is worth discarding: discarding trash keeps more needed cards, and
      draws a card and gains a token just the same.
    - A misplay is worth trying only at full tokens: otherwise a discard does the same and returns a token.
    - In the relaxed game, a player who can complete a stack need not discard: completing the stack also draws
      a card and returns a token.
    """
    count = 0
    hand = state.hands[state.seat]
    pooled = state.pool & POOLED
    relaxed = setting.relaxed == 1 or pooled != 0
    fits = fitting(setting, state.played) & (hand | state.pool)
    for number in members(fits):
        moves[count] = PLAY_CARD << 5 | number
        count += 1
    trash = pooled != 0 or popcount(hand) < setting.hand_size
    may_discard = state.tokens < setting.full_tokens or setting.free_discards == 1 or relaxed
    may_miss = not may_discard and setting.misses == 1 and state.strikes + 1 < setting.strikes
    if relaxed and setting.bonus == 1 and fits & setting.ends:
        may_discard = False
    if may_discard or may_miss:
        if trash:
            moves[count] = (TRASH if may_discard else MISS_TRASH) << 5
            count += 1
        else:
            rest = hand
            if popcount(state.reach) == setting.goal:
                rest &= _elsewhere(setting, state)
            if may_miss:
                rest &= ~fits
            for number in members(rest):
                moves[count] = (DROP if may_discard else MISS) << 5 | number
                count += 1
    if state.tokens >= setting.unit:
        moves[count] = CLUE << 5
        count += 1
    return count


def make_move(setting: Setting, state: State, move: int, to: State) -> None:
    """Set `to` to the position after a move; the deck must not be empty."""
    copy_state(state, to)
    kind = move >> 5
    card = 1 << (move & 31)
    seat = state.seat
    to.seat = seat + 1 if seat + 1 < setting.seats else 0
    if kind == CLUE:
        to.tokens -= setting.unit
        return
    if kind == PLAY_CARD:
        to.played |= card
        if card & setting.ends and to.tokens < setting.full_tokens:
            to.tokens += setting.bonus
    elif kind in (MISS, MISS_TRASH):
        to.strikes += 1
    elif to.tokens < setting.full_tokens:
        to.tokens += 1
    if kind in (DROP, MISS):
        to.hands[seat] &= ~card
    to.hands[seat] |= setting.deck[to.drawn]
    to.drawn += 1
    settle(setting, to)


# --- Table of excluded positions, stored in full. It is cleared by raising the *generation*.
ENTRY: Final = 5  # numbers per entry
_PROBES: Final = 4
_BITS: Final = (1 << 63) - 1
_A: Final = 0x1E3779B97F4A7C15
_B: Final = 0x3F58476D1CE4E5B9
_C: Final = 0x14D049BB133111EB
_D: Final = 0x2545F4914F6CDD1D


def _words_of(state: State) -> tuple[int, int, int, int]:
    """Return a position as four words."""
    hands, drawn = state.hands, state.drawn
    return (
        hands[0] | hands[1] << 30 | state.seat << 60,
        hands[2] | hands[3] << 30 | (drawn & 7) << 60,
        hands[4] | hands[5] << 30 | (drawn >> 3) << 60,
        state.played | state.pool << 30,
    )


def _place(first: int, second: int, third: int, fourth: int, slots: int) -> int:
    """Return the first slot to probe for the entry of a position; `slots` is a power of 2."""
    mixed = (first * _A ^ second * _B ^ third * _C ^ fourth * _D) & _BITS
    mixed ^= mixed >> 29
    mixed = mixed * _B & _BITS
    mixed ^= mixed >> 32
    return mixed & (slots - 1)


def stored_tokens(table: Row, slots: int, state: State, generation: int) -> int:
    """Return the number of tokens stored with the position, -1 if the position is not stored."""
    first, second, third, fourth = _words_of(state)
    place = _place(first, second, third, fourth, slots)
    for probe in range(_PROBES):
        at = ((place + probe) & (slots - 1)) * ENTRY
        if (
            table[at] == first
            and table[at + 1] == second
            and table[at + 2] == third
            and table[at + 3] == fourth
            and table[at + 4] >> 8 == generation
        ):
            return table[at + 4] & 255
    return -1


def find_or_store(table: Row, slots: int, state: State, generation: int) -> bool:
    """Store a position with its tokens; return whether it was already stored with at least as many tokens.

    Entries of other generations are free; without a free entry, the position replaces one of its generation.
    """
    first, second, third, fourth = _words_of(state)
    place = _place(first, second, third, fourth, slots)
    entry = -1
    for probe in range(_PROBES):
        at = ((place + probe) & (slots - 1)) * ENTRY
        if table[at + 4] >> 8 != generation:
            if entry < 0:
                entry = at
        elif (
            table[at] == first
            and table[at + 1] == second
            and table[at + 2] == third
            and table[at + 3] == fourth
        ):
            if table[at + 4] & 255 >= state.tokens:
                return True
            entry = at
            break
    if entry < 0:
        entry = ((place + (first & (_PROBES - 1))) & (slots - 1)) * ENTRY
    table[entry] = first
    table[entry + 1] = second
    table[entry + 2] = third
    table[entry + 3] = fourth
    table[entry + 4] = generation << 8 | state.tokens
    return False
