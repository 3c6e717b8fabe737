"""What a turn looks like to players who share conventions: chops, finesse positions, what will play.

In: a running game and what messages said before this turn. Out: the places of `v` that `look` fills, and the
few questions about hands that all conventions ask. The view is that of the player to move: of the own hand
only what messages and clues tell counts.
"""

from __future__ import annotations

from hanalyze.conventions import state as at
from hanalyze.engine.game import HOLE, SILENT, UP_OR_DOWN, Game, Ints
from hanalyze.engine.knowledge import read_hands
from hanalyze.engine.measure import critical_cards, needed_cards, pace
from hanalyze.engine.stacks import fits_after
from hanalyze.game.cards import MAX_CARDS
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, is_one, lowest
from hanalyze.tables import PACE_NULL

__all__ = [
    "begin",
    "elsewhere",
    "finesse_position",
    "is_locked",
    "is_undefined",
    "look",
    "newest",
    "oldest",
    "useful_cards",
]


@kernel
def begin(game: Game, v: Ints, level: int) -> None:
    """Set up `v` for a game that has just been dealt."""
    for place in range(at.CHAINS):
        v[place] = 0
    for chain in range(at.MAX_CHAINS):
        v[at.chain_at(chain) + at.CHAIN_STATUS] = 0
    for order in range(MAX_CARDS):
        v[at.INFERRED + order] = -1
        v[at.SAVE_ROW + order] = -1
    v[at.LEVEL] = level
    v[at.EARLY] = 1
    v[at.JUST_LOST] = -1
    v[at.ASKED] = -1
    v[at.STARTING] = (1 << game.drawn) - 1


@kernel
def is_undefined(game: Game) -> bool:
    """Return whether the variant leaves open what conventions go by.

    A clue must say what it touches, players must see what was played, and a stack must have one way to grow.
    """
    return bool(game.variant.flags & (SILENT | HOLE) or game.variant.stack_kind == UP_OR_DOWN)


@kernel
def newest(game: Game, seat: int, orders: int) -> int:
    """Return the newest card of a hand that is in `orders`, -1 if none is."""
    for i in range(game.hand_len[seat] - 1, -1, -1):
        order = game.hands[seat][i]
        if orders >> order & 1:
            return int(order)
    return -1


@kernel
def oldest(game: Game, seat: int, orders: int) -> int:
    """Return the oldest card of a hand that is in `orders`, -1 if none is."""
    for i in range(game.hand_len[seat]):
        order = game.hands[seat][i]
        if orders >> order & 1:
            return int(order)
    return -1


@kernel
def finesse_position(game: Game, v: Ints, seat: int, skip: int) -> int:
    """Return the newest card of a hand that is neither gotten nor in `skip`, -1 if there is none."""
    return newest(game, seat, v[at.CARDS + seat] & ~v[at.GOTTEN] & ~skip)


@kernel
def is_locked(v: Ints, seat: int) -> bool:
    """Return whether a hand has cards, but no chop."""
    return bool(v[at.CHOP + seat] < 0 and v[at.CARDS + seat] != 0)


@kernel
def elsewhere(game: Game, v: Ints, viewer: int) -> int:
    """Return the identities of the gotten cards that `viewer` knows: those of other hands, and sure ones."""
    held = 0
    for seat in range(game.seats):
        held |= v[at.HELD_SURE + seat] if seat == viewer else v[at.HELD + seat]
    return int(held)


@kernel
def useful_cards(game: Game, v: Ints, giver: int, cards: int) -> int:
    """Count which of some cards a stack still needs, and no gotten card that `giver` knows is."""
    held = elsewhere(game, v, giver)
    count = 0
    while cards:
        number = game.identity[lowest(cards)]
        cards = drop_lowest(cards)
        if number < 0:
            count += 1
        elif v[at.NEEDED] & ~held & 1 << number:
            held |= 1 << number
            count += 1
    return count


@kernel
def _tell_copies_apart(game: Game, v: Ints, seat: int, sure: int) -> int:
    """Take what one card of a hand must be from the others, and return what the holder is sure of then.

    By good touch no two gotten cards are the same. Of two that can only be so, the one that a clue was about
    is it, or the one that was touched first, and the other is trash.
    """
    named = 0
    owner = 0
    size = game.hand_len[seat]
    for attempt in range(2):
        for i in range(size):
            order = game.hands[seat][i]
            means = v[at.SEES + order]
            if not v[at.GOTTEN] >> order & 1 or v[at.KNOWN_TRASH] >> order & 1 or not is_one(means):
                continue
            if not means & named and (attempt == 1 or v[at.FOCUSED] >> order & 1):
                named |= means
                owner |= 1 << order
    for i in range(size):
        order = game.hands[seat][i]
        bit = 1 << order
        if not v[at.GOTTEN] & bit or owner & bit or v[at.KNOWN_TRASH] & bit:
            continue
        means = v[at.SEES + order] & ~named
        if means:
            v[at.SEES + order] = means
            if is_one(means):
                sure |= means
        elif game.clued & bit:
            v[at.KNOWN_TRASH] |= bit
    return sure


@kernel
def _look_at_hand(game: Game, v: Ints, seat: int, needed: int) -> None:
    """Find what the holder of a hand allows for, with its chop and its finesse position."""
    known = game.know.known[seat]
    chop = -1
    first = -1
    cards = 0
    held = 0
    sure = 0
    gotten = v[at.GOTTEN]
    for i in range(game.hand_len[seat]):
        order = game.hands[seat][i]
        bit = 1 << order
        cards |= bit
        possible = known[i]
        if gotten & bit:
            means = possible & v[at.INFERRED + order]
            useful = means & needed
            if useful != 0:
                means = useful
            elif possible & needed:
                # What messages left is gone: they erred, or the card was played from another hand.
                means = possible & needed
            else:
                means = possible
                v[at.KNOWN_TRASH] |= bit
            if v[at.TOLD_TRASH] & bit:
                v[at.KNOWN_TRASH] |= bit
            number = game.identity[order]
            if number >= 0:
                held |= 1 << number
            else:
                v[at.HIDDEN] |= bit
            if is_one(means):
                sure |= means
            v[at.SEES + order] = means
        else:
            first = order
            means = possible & v[at.INFERRED + order]
            if means == 0:
                means = possible
            v[at.SEES + order] = means
            if possible & needed == 0:
                v[at.KNOWN_TRASH] |= bit
            if game.identity[order] < 0:
                v[at.HIDDEN] |= bit
            if chop < 0 and not v[at.CHOP_MOVED] & bit:
                chop = order
    if sure and gotten & cards:
        sure = _tell_copies_apart(game, v, seat, sure)
    v[at.CHOP + seat] = chop
    v[at.FIRST + seat] = first
    v[at.CARDS + seat] = cards
    v[at.HELD + seat] = held
    v[at.HELD_SURE + seat] = sure


@kernel
def _follow_plays(game: Game, v: Ints) -> None:
    """Find which gotten cards play without a further message, and how far the stacks come with them."""
    playable = game.playable
    played = 0
    playing = 0
    mover = game.seat
    waiting = v[at.GOTTEN] & ~v[at.KNOWN_TRASH]
    changed = True
    while changed:
        changed = False
        rest = waiting
        while rest:
            order = lowest(rest)
            bit = 1 << order
            rest = drop_lowest(rest)
            sees = v[at.SEES + order]
            if sees & ~(playable | played) == 0:
                waiting ^= bit
                playing |= bit
                changed = True
                number = game.identity[order]
                if game.place[order] == mover or number < 0:
                    number = lowest(sees) if is_one(sees) else -1
                if number >= 0 and playable >> number & 1:
                    playable = playable & ~(1 << number) | fits_after(game, number)
                    played |= 1 << number
    v[at.HYPO_PLAYABLE] = playable
    v[at.HYPO_PLAYED] = played
    v[at.PLAYING] = playing


@kernel
def _find_open_steps(game: Game, v: Ints) -> None:
    """Find the cards whose step is open: the next of each call."""
    called = 0
    for chain in range(at.MAX_CHAINS):
        base = at.chain_at(chain)
        if v[base + at.CHAIN_STATUS] and v[base + at.CHAIN_DONE] < v[base + at.CHAIN_STEPS]:
            called |= 1 << v[at.step_at(chain, v[base + at.CHAIN_DONE]) + at.STEP_ORDER]
    v[at.CALLED] = called


@kernel
def _find_danger(game: Game, v: Ints) -> None:
    """Find the cards that play by mistake, those that play rightly, and hidden copies."""
    now = 0
    danger = 0
    copies = 0
    once = 0
    twice = 0
    playable = game.playable
    rest = v[at.GOTTEN]
    while rest:
        order = lowest(rest)
        bit = 1 << order
        rest = drop_lowest(rest)
        number = game.identity[order]
        trash = v[at.KNOWN_TRASH] & bit
        if not trash and v[at.SEES + order] & ~playable == 0:
            now |= bit
            if number >= 0 and not playable >> number & 1:
                danger |= bit
        if number >= 0:
            if not trash and not v[at.NEEDED] >> number & 1:
                copies |= bit
            twice |= once & 1 << number
            once |= 1 << number
    v[at.PLAYABLE_NOW] = now
    v[at.DANGER] = danger
    v[at.DUPLICATED] = copies
    if twice:
        _find_copies(game, v, twice)


@kernel
def _find_copies(game: Game, v: Ints, twice: int) -> None:
    """Add the copies of gotten cards to `DUPLICATED`: those that were gotten last."""
    rest = v[at.GOTTEN] & ~v[at.KNOWN_TRASH]
    while rest:
        order = lowest(rest)
        bit = 1 << order
        rest = drop_lowest(rest)
        number = game.identity[order]
        if number < 0 or not twice >> number & 1:
            continue
        others = v[at.GOTTEN] & ~bit
        while others:
            other = lowest(others)
            others = drop_lowest(others)
            if game.identity[other] == number and v[at.GOT_TURN + other] <= v[at.GOT_TURN + order]:
                v[at.DUPLICATED] |= bit


@kernel
def _find_severity(game: Game, v: Ints) -> None:
    """Find how badly the player to move must stall."""
    seat = game.seat
    severity = v[at.EARLY]
    if v[at.SCREAMED] >> seat & 1:
        severity = 2
    chop = v[at.CHOP + seat]
    lost = v[at.JUST_LOST]
    if lost >= 0 and chop >= 0 and v[at.SEES + chop] >> lost & 1:
        seen = False
        for other in range(game.seats):
            if other != seat:
                for i in range(game.hand_len[other]):
                    seen = seen or game.identity[game.hands[other][i]] == lost
        if not seen:
            severity = 2
    if is_locked(v, seat):
        severity = 3
    if game.tokens >= game.full_tokens and game.turn > 0:
        severity = 4
    v[at.SEVERITY] = severity


@kernel
def look(game: Game, v: Ints) -> None:
    """Find what the turn looks like before its action."""
    read_hands(game)
    needed = needed_cards(game)
    v[at.CRITICAL] = critical_cards(game)
    v[at.NEEDED] = needed
    v[at.GOTTEN] = game.clued | v[at.FINESSED] | v[at.TRANSFERRED]
    v[at.KNOWN_TRASH] = 0
    v[at.HIDDEN] = 0
    for seat in range(game.seats):
        _look_at_hand(game, v, seat, needed)
    # Who acts can count on no more of the own hand than they know, nor do others take it for more.
    v[at.HELD + game.seat] = v[at.HELD_SURE + game.seat]
    _follow_plays(game, v)
    _find_open_steps(game, v)
    _find_danger(game, v)
    now = pace(game)
    v[at.END_PHASE] = 1 if now == PACE_NULL or now < game.seats else 0
    _find_severity(game, v)
    v[at.AVAILABLE] = -1
    v[at.BEST] = 0
