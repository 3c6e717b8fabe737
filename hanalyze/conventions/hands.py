"""What a turn looks like to players who share conventions: chops, finesse positions, what will play.

In: a running game and what messages said before this turn. Out: the record `Look`, which `look` fills, and
the few questions about hands that all conventions ask. The view is that of the player to move: of the own
hand only what messages and clues tell counts.
"""

from __future__ import annotations

from hanalyze.conventions.reading import MAX_CALLS, Reading
from hanalyze.engine.game import HOLE, SILENT, UP_OR_DOWN, Game
from hanalyze.engine.knowledge import read_hands
from hanalyze.engine.measure import critical_cards, needed_cards, pace
from hanalyze.engine.stacks import fits_after
from hanalyze.game.cards import IDENTITIES, MAX_CARDS
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
def begin(game: Game, reading: Reading, level: int) -> None:
    """Forget what was told in the game before: this one has just been dealt."""
    told = reading.told
    told.level = level
    told.early = 1
    told.finessed = 0
    told.chop_moved = 0
    told.transferred = 0
    told.told_trash = 0
    told.starting = (1 << game.drawn) - 1
    told.screamed = 0
    told.just_lost = -1
    told.queue = 0
    told.focused = 0
    told.asked = -1
    told.asked_by = 0
    told.five_stalls = 0
    for order in range(MAX_CARDS):
        told.inferred[order] = -1
        told.call_number[order] = 0
        told.save_row[order] = -1
        told.got_turn[order] = 0
        told.source[order] = 0
        told.ids[order] = 0
        told.how_told[order] = 0
        told.breaker[order] = 0
        reading.look.sees[order] = 0
    for number in range(IDENTITIES):
        told.taken[number] = 0
    for call in range(MAX_CALLS):
        reading.calls[call].is_open = 0


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
def finesse_position(game: Game, reading: Reading, seat: int, skip: int) -> int:
    """Return the newest card of a hand that is neither gotten nor in `skip`, -1 if there is none."""
    return newest(game, seat, reading.look.cards[seat] & ~reading.look.gotten & ~skip)


@kernel
def is_locked(reading: Reading, seat: int) -> bool:
    """Return whether a hand has cards, but no chop."""
    return bool(reading.look.chop[seat] < 0 and reading.look.cards[seat] != 0)


@kernel
def elsewhere(game: Game, reading: Reading, viewer: int) -> int:
    """Return the identities of the gotten cards that `viewer` knows: those of other hands, and sure ones."""
    held = 0
    for seat in range(game.seats):
        held |= reading.look.held_sure[seat] if seat == viewer else reading.look.held[seat]
    return int(held)


@kernel
def useful_cards(game: Game, reading: Reading, giver: int, cards: int) -> int:
    """Count which of some cards a stack still needs, and no gotten card that `giver` knows is."""
    held = elsewhere(game, reading, giver)
    count = 0
    while cards:
        number = game.identity[lowest(cards)]
        cards = drop_lowest(cards)
        if number < 0:
            count += 1
        elif reading.look.needed & ~held & 1 << number:
            held |= 1 << number
            count += 1
    return count


@kernel
def _tell_copies_apart(game: Game, reading: Reading, seat: int, sure: int) -> int:
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
            means = reading.look.sees[order]
            if (
                not reading.look.gotten >> order & 1
                or reading.look.known_trash >> order & 1
                or not is_one(means)
            ):
                continue
            if not means & named and (attempt == 1 or reading.told.focused >> order & 1):
                named |= means
                owner |= 1 << order
    for i in range(size):
        order = game.hands[seat][i]
        bit = 1 << order
        if not reading.look.gotten & bit or owner & bit or reading.look.known_trash & bit:
            continue
        means = reading.look.sees[order] & ~named
        if means:
            reading.look.sees[order] = means
            if is_one(means):
                sure |= means
        elif game.clued & bit:
            reading.look.known_trash |= bit
    return sure


@kernel
def _look_at_hand(game: Game, reading: Reading, seat: int, needed: int) -> None:
    """Find what the holder of a hand allows for, with its chop and its finesse position."""
    known = game.know.known[seat]
    chop = -1
    first = -1
    cards = 0
    held = 0
    sure = 0
    gotten = reading.look.gotten
    for i in range(game.hand_len[seat]):
        order = game.hands[seat][i]
        bit = 1 << order
        cards |= bit
        possible = known[i]
        if gotten & bit:
            means = possible & reading.told.inferred[order]
            useful = means & needed
            if useful != 0:
                means = useful
            elif possible & needed:
                # What messages left is gone: they erred, or the card was played from another hand.
                means = possible & needed
            else:
                means = possible
                reading.look.known_trash |= bit
            if reading.told.told_trash & bit:
                reading.look.known_trash |= bit
            number = game.identity[order]
            if number >= 0:
                held |= 1 << number
            else:
                reading.look.hidden |= bit
            if is_one(means):
                sure |= means
            reading.look.sees[order] = means
        else:
            first = order
            means = possible & reading.told.inferred[order]
            if means == 0:
                means = possible
            reading.look.sees[order] = means
            if possible & needed == 0:
                reading.look.known_trash |= bit
            if game.identity[order] < 0:
                reading.look.hidden |= bit
            if chop < 0 and not reading.told.chop_moved & bit:
                chop = order
    if sure and gotten & cards:
        sure = _tell_copies_apart(game, reading, seat, sure)
    reading.look.chop[seat] = chop
    reading.look.first[seat] = first
    reading.look.cards[seat] = cards
    reading.look.held[seat] = held
    reading.look.held_sure[seat] = sure


@kernel
def _follow_plays(game: Game, reading: Reading) -> None:
    """Find which gotten cards play without a further message, and how far the stacks come with them."""
    playable = game.playable
    played = 0
    playing = 0
    mover = game.seat
    waiting = reading.look.gotten & ~reading.look.known_trash
    changed = True
    while changed:
        changed = False
        rest = waiting
        while rest:
            order = lowest(rest)
            bit = 1 << order
            rest = drop_lowest(rest)
            sees = reading.look.sees[order]
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
    reading.look.hypo_playable = playable
    reading.look.hypo_played = played
    reading.look.playing = playing


@kernel
def _find_open_steps(game: Game, reading: Reading) -> None:
    """Find the cards whose step is open: the next of each call."""
    called = 0
    for chain in range(MAX_CALLS):
        call = reading.calls[chain]
        if call.is_open and call.done < call.length:
            called |= 1 << reading.calls[chain].steps[call.done].order
    reading.look.called = called


@kernel
def _find_danger(game: Game, reading: Reading) -> None:
    """Find the cards that play by mistake, those that play rightly, and hidden copies."""
    now = 0
    danger = 0
    copies = 0
    once = 0
    twice = 0
    playable = game.playable
    rest = reading.look.gotten
    while rest:
        order = lowest(rest)
        bit = 1 << order
        rest = drop_lowest(rest)
        number = game.identity[order]
        trash = reading.look.known_trash & bit
        if not trash and reading.look.sees[order] & ~playable == 0:
            now |= bit
            if number >= 0 and not playable >> number & 1:
                danger |= bit
        if number >= 0:
            if not trash and not reading.look.needed >> number & 1:
                copies |= bit
            twice |= once & 1 << number
            once |= 1 << number
    reading.look.playable_now = now
    reading.look.danger = danger
    reading.look.duplicated = copies
    if twice:
        _find_copies(game, reading, twice)


@kernel
def _find_copies(game: Game, reading: Reading, twice: int) -> None:
    """Add the copies of gotten cards to `duplicated`: those that were gotten last."""
    rest = reading.look.gotten & ~reading.look.known_trash
    while rest:
        order = lowest(rest)
        bit = 1 << order
        rest = drop_lowest(rest)
        number = game.identity[order]
        if number < 0 or not twice >> number & 1:
            continue
        others = reading.look.gotten & ~bit
        while others:
            other = lowest(others)
            others = drop_lowest(others)
            if (
                game.identity[other] == number
                and reading.told.got_turn[other] <= reading.told.got_turn[order]
            ):
                reading.look.duplicated |= bit


@kernel
def _find_severity(game: Game, reading: Reading) -> None:
    """Find how badly the player to move must stall."""
    seat = game.seat
    severity = reading.told.early
    if reading.told.screamed >> seat & 1:
        severity = 2
    chop = reading.look.chop[seat]
    lost = reading.told.just_lost
    if lost >= 0 and chop >= 0 and reading.look.sees[chop] >> lost & 1:
        seen = False
        for other in range(game.seats):
            if other != seat:
                for i in range(game.hand_len[other]):
                    seen = seen or game.identity[game.hands[other][i]] == lost
        if not seen:
            severity = 2
    if is_locked(reading, seat):
        severity = 3
    if game.tokens >= game.full_tokens and game.turn > 0:
        severity = 4
    reading.look.severity = severity


@kernel
def look(game: Game, reading: Reading) -> None:
    """Find what the turn looks like before its action."""
    read_hands(game)
    needed = needed_cards(game)
    reading.look.critical = critical_cards(game)
    reading.look.needed = needed
    reading.look.gotten = game.clued | reading.told.finessed | reading.told.transferred
    reading.look.known_trash = 0
    reading.look.hidden = 0
    for seat in range(game.seats):
        _look_at_hand(game, reading, seat, needed)
    # Who acts can count on no more of the own hand than they know, nor do others take it for more.
    reading.look.held[game.seat] = reading.look.held_sure[game.seat]
    _follow_plays(game, reading)
    _find_open_steps(game, reading)
    _find_danger(game, reading)
    now = pace(game)
    reading.look.end_phase = 1 if now == PACE_NULL or now < game.seats else 0
    _find_severity(game, reading)
    reading.look.available = -1
    reading.look.best = 0
