"""What a turn looks like to players who share conventions: chops, finesse positions, what will play.

In: a running game, and what messages said before this turn. Out: the record `Look`, which `find_look` fills.
The view is that of the player to move: of the own hand only what messages and clues tell counts.
"""

from __future__ import annotations

from typing import Annotated, Final

from hanalyze.conventions.common_knowledge import Told
from hanalyze.conventions.weights import BUILT_UPON
from hanalyze.engine.game import MAX_SEATS, Game
from hanalyze.engine.knowledge import read_hands
from hanalyze.engine.measure import critical_cards, needed_cards, pace
from hanalyze.engine.stacks import after_playing
from hanalyze.game.cards import MAX_CARDS
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, is_one, lowest
from hanalyze.kernels.record import Record, Row
from hanalyze.tables import PACE_NULL

LOCKED: Final = 3
"""The severity of a turn whose player has no chop."""


class Look(Record):
    """What the turn looks like. Written by `turn_view`."""

    gotten: int
    """Mask of the cards that are clued, finessed or transferred."""
    needed: int
    """Mask of the identities that a stack still needs."""
    critical: int
    """Mask of the needed identities with one copy left."""
    hypo_playable: int
    """Mask of the identities that will fit a stack once all has been played that plays without a message."""
    hypo_played: int
    """Mask of the identities that these plays put on the stacks."""
    playing: int
    """Mask of the cards that play without a further message."""
    playable_now: int
    """Of them, those whose holder may play them now."""
    doubted: int
    """Mask of the cards whose messages say what they are, but weigh too little to build upon."""
    danger: int
    """Mask of the cards that their holder would play now and that do not fit."""
    known_trash: int
    """Mask of the cards that their holder knows to be trash."""
    duplicated: int
    """Mask of gotten cards that are trash or copies of other gotten cards, unknown to their holder."""
    stall_severity: int
    """How badly the player to move must stall: 0 not, 1 early game, 2 no discard, 3 locked, 4 all tokens."""
    end_phase: int
    """1 when the pace is below the number of players."""
    called: int
    """Mask of the cards whose step is open now."""
    meant: int
    """Mask of the cards that an open call is about."""
    hidden: int
    """Mask of the cards in hands whose identity is unknown to us."""
    gotten_ids: int
    """Mask of the identities that the holders of gotten cards which may be good allow for."""

    chop: Annotated[Row, MAX_SEATS]
    """By seat, the order of the chop, -1 if there is none."""
    first: Annotated[Row, MAX_SEATS]
    """By seat, the order on the finesse position (`hands.finesse_position`), -1 if there is none."""
    held: Annotated[Row, MAX_SEATS]
    """By seat, the identities of the gotten cards in that hand."""
    held_sure: Annotated[Row, MAX_SEATS]
    """By seat, those of them that the holder knows."""
    cards: Annotated[Row, MAX_SEATS]
    """By seat, the mask of the cards in hand."""
    sees: Annotated[Row, MAX_CARDS]
    """By order, the mask of the identities that the holder, who does not see the card, allows for now."""


@kernel
def begin_look(look: Look) -> None:
    """Forget the game before."""
    for order in range(MAX_CARDS):
        look.sees[order] = 0


@kernel
def is_locked(look: Look, seat: int) -> bool:
    """Return whether a hand has cards, but no chop."""
    return look.chop[seat] < 0 and look.cards[seat] != 0


@kernel
def find_look(game: Game, told: Told, look: Look, called: int, meant: int) -> None:
    """Find what the turn looks like before its action.

    `called` are the cards whose step is open, `meant` those that a call is about.
    """
    read_hands(game)
    look.needed = needed_cards(game)
    look.critical = critical_cards(game)
    look.gotten = game.clued | told.blind | told.transferred
    look.called = called
    look.meant = meant
    look.known_trash = 0
    look.hidden = 0
    look.doubted = 0
    for seat in range(game.seats):
        _look_at_hand(game, told, look, seat)
    # Who acts can count on no more of the own hand than they know, nor do others take it for more.
    look.held[game.seat] = look.held_sure[game.seat]
    _follow_plays(game, told, look)
    _find_danger(game, told, look)
    now = pace(game)
    look.end_phase = 1 if now == PACE_NULL or now < game.seats else 0
    _find_stall_severity(game, told, look)


@kernel
def _look_at_hand(game: Game, told: Told, look: Look, seat: int) -> None:
    """Find what the holder of a hand allows for, with its chop and its finesse position."""
    known = game.know.known[seat]
    look.chop[seat] = -1
    look.first[seat] = -1
    look.cards[seat] = 0
    look.held[seat] = 0
    sure = 0
    for i in range(game.hand_len[seat]):
        order = game.hands[seat][i]
        bit = 1 << order
        number = game.identity[order]
        look.cards[seat] |= bit
        if number < 0:
            look.hidden |= bit
        if look.gotten & bit:
            means = _gotten_means(game, told, look, order, known[i])
            if told.weight[order] < BUILT_UPON and means != known[i] & look.needed:
                look.doubted |= bit
            if number >= 0:
                look.held[seat] |= 1 << number
            if is_one(means):
                sure |= means
        else:
            means = known[i] & told.inferred[order]
            if means == 0:
                means = known[i]
            if known[i] & look.needed == 0:
                look.known_trash |= bit
            look.first[seat] = order
            if look.chop[seat] < 0 and not told.chop_moved & bit:
                look.chop[seat] = order
        look.sees[order] = means
    if sure and look.gotten & look.cards[seat]:
        sure = _tell_copies_apart(game, told, look, seat, sure)
    look.held_sure[seat] = sure


@kernel
def _gotten_means(game: Game, told: Told, look: Look, order: int, possible: int) -> int:
    """Return what the holder of a gotten card allows for, and note known trash."""
    bit = 1 << order
    means = possible & told.inferred[order]
    if told.told_trash & bit:
        look.known_trash |= bit
    if means & look.needed:
        return means & look.needed
    if possible & look.needed:
        # What messages left is gone: they erred, or another hand played the card. Good touch stays.
        left = possible & look.needed & ~_clued_elsewhere(game, game.place[order])
        return left if left else possible & look.needed
    look.known_trash |= bit
    return possible


@kernel
def _clued_elsewhere(game: Game, viewer: int) -> int:
    """Return the identities of the clued cards that a player sees."""
    seen = 0
    for seat in range(game.seats):
        if seat != viewer:
            for i in range(game.hand_len[seat]):
                order = game.hands[seat][i]
                if game.clued >> order & 1 and game.identity[order] >= 0:
                    seen |= 1 << game.identity[order]
    return seen


@kernel
def _doubt_copies(game: Game, told: Told, look: Look, seat: int, sure: int) -> int:
    """Widen what two cards of one clue may be of which good touch leaves one identity; return what is sure.

    No two gotten cards are the same: so good touch was broken, and which card is the bad one nobody said.
    """
    known = game.know.known[seat]
    once = 0
    twice = 0
    for i in range(game.hand_len[seat]):
        means = look.sees[game.hands[seat][i]]
        if is_one(means):
            twice |= once & means
            once |= means
    if twice == 0:
        return sure
    for i in range(game.hand_len[seat]):
        order = game.hands[seat][i]
        means = look.sees[order]
        if not _is_named_beside(told, look, order) or not is_one(means):
            continue
        for other_place in range(i):
            other = game.hands[seat][other_place]
            same = look.sees[other] == means and told.got_turn[other] == told.got_turn[order]
            if not same or not _is_named_beside(told, look, other):
                continue
            if known[i] & known[other_place] & look.needed & ~means:
                look.sees[order] = known[i] & look.needed
                look.sees[other] = known[other_place] & look.needed
                sure &= ~means
    return sure


@kernel
def _is_named_beside(told: Told, look: Look, order: int) -> bool:
    """Return whether a card was got beside another, and is not known to be trash."""
    return (look.gotten & ~look.known_trash & ~told.focused & ~told.blind) >> order & 1 != 0


@kernel
def _tell_copies_apart(game: Game, told: Told, look: Look, seat: int, sure: int) -> int:
    """Take what one card of a hand must be from the others, and return what the holder is sure of then.

    By good touch no two gotten cards are the same. Where two have one and the same identity left, the one
    that was the focus of a clue has it, or else the older one, and the other is trash.
    """
    size = game.hand_len[seat]
    sure = _doubt_copies(game, told, look, seat, sure)
    named = 0
    owner = 0
    for attempt in range(2):
        for i in range(size):
            order = game.hands[seat][i]
            bit = 1 << order
            means = look.sees[order]
            if not look.gotten & bit or look.known_trash & bit or not is_one(means):
                continue
            if not means & named and (attempt == 1 or told.focused & bit):
                named |= means
                owner |= bit
    for i in range(size):
        order = game.hands[seat][i]
        bit = 1 << order
        if not look.gotten & bit or owner & bit or look.known_trash & bit:
            continue
        means = look.sees[order] & ~named
        if means:
            look.sees[order] = means
            if is_one(means):
                sure |= means
        elif game.clued & bit:
            look.known_trash |= bit
    return sure


@kernel
def _follow_plays(game: Game, told: Told, look: Look) -> None:
    """Find which gotten cards play without a further message, and how far the stacks come with them."""
    playable = game.playable
    played = 0
    playing = 0
    waiting = look.gotten & ~look.known_trash & ~look.doubted
    changed = True
    while changed:
        changed = False
        rest = waiting
        while rest:
            order = lowest(rest)
            bit = 1 << order
            rest = drop_lowest(rest)
            sees = look.sees[order]
            number = game.identity[order]
            # What is called behind another card, or waits for others to show nothing, only the holder does
            # not know yet.
            seen = number >= 0 and game.place[order] != game.seat
            dug_out = seen and told.blind & bit
            awaited = seen and look.meant & bit and sees >> number & 1
            fits = seen and playable >> number & 1
            if sees & ~(playable | played) == 0 or (fits and (dug_out or awaited)):
                waiting ^= bit
                playing |= bit
                changed = True
                if game.place[order] == game.seat or number < 0:
                    number = lowest(sees) if is_one(sees) else -1
                if number >= 0 and playable >> number & 1:
                    playable = after_playing(game, playable, number)
                    played |= 1 << number
    look.hypo_playable = playable
    look.hypo_played = played
    look.playing = playing


@kernel
def _plain(told: Told, look: Look, order: int) -> int:
    """Return what the holder of a card builds upon: what more than a deep chain explains, or all."""
    plain = look.sees[order] & ~told.deep[order]
    return plain if plain else look.sees[order]


@kernel
def _find_danger(game: Game, told: Told, look: Look) -> None:
    """Find the cards that play by mistake, those that play rightly, hidden copies, and what cards may be."""
    look.playable_now = 0
    look.danger = 0
    look.duplicated = 0
    look.gotten_ids = 0
    once = 0
    twice = 0
    rest = look.gotten
    while rest:
        order = lowest(rest)
        bit = 1 << order
        rest = drop_lowest(rest)
        number = game.identity[order]
        trash = look.known_trash & bit
        if not trash:
            look.gotten_ids |= look.sees[order]
        if not trash and _plain(told, look, order) & ~game.playable == 0:
            look.playable_now |= bit & ~look.doubted
        unfit = number >= 0 and not game.playable >> number & 1
        if unfit and not trash and look.sees[order] & ~game.playable == 0:
            look.danger |= bit
        if number >= 0:
            if not trash and not look.needed >> number & 1:
                look.duplicated |= bit
            twice |= once & 1 << number
            once |= 1 << number
    if twice:
        _find_copies(game, told, look, twice)


@kernel
def _find_copies(game: Game, told: Told, look: Look, twice: int) -> None:
    """Add the copies of gotten cards to `duplicated`: those that were gotten last."""
    rest = look.gotten & ~look.known_trash
    while rest:
        order = lowest(rest)
        bit = 1 << order
        rest = drop_lowest(rest)
        number = game.identity[order]
        if number < 0 or not twice >> number & 1:
            continue
        others = look.gotten & ~bit
        while others:
            other = lowest(others)
            others = drop_lowest(others)
            if game.identity[other] == number and told.got_turn[other] <= told.got_turn[order]:
                look.duplicated |= bit


@kernel
def _find_stall_severity(game: Game, told: Told, look: Look) -> None:
    """Find how badly the player to move must stall."""
    seat = game.seat
    look.stall_severity = told.early
    if told.screamed >> seat & 1 or _may_lose_both(game, told, look):
        look.stall_severity = 2
    if is_locked(look, seat):
        look.stall_severity = LOCKED
    if game.tokens >= game.full_tokens and game.turn > 0:
        look.stall_severity = 4


@kernel
def _may_lose_both(game: Game, told: Told, look: Look) -> bool:
    """Return whether the chop of the player to move may be the other copy of a card just lost."""
    chop = look.chop[game.seat]
    lost = told.just_lost
    if lost < 0 or chop < 0 or not look.sees[chop] >> lost & 1:
        return False
    for other in range(game.seats):
        if other != game.seat:
            for i in range(game.hand_len[other]):
                if game.identity[game.hands[other][i]] == lost:
                    return False
    return True
