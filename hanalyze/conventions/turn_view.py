"""What a turn looks like to players who share conventions: chops, finesse positions, what will play.

The view is that of the player to move: of the own hand only what messages and clues tell counts.
"""

from __future__ import annotations

from typing import Annotated, Final

from hanalyze.conventions.common_knowledge import CommonKnowledge
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


class TurnView(Record):
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
    future_plays: int
    """Mask of the cards that play without a further message."""
    playable_now: int
    """Of them, those whose holder may play them now."""
    doubtful: int
    """Mask of the cards whose messages say what they are, but weigh too little to build upon."""
    misplays: int
    """Mask of the cards that their holder would play now and that do not fit."""
    known_trash: int
    """Mask of the cards that their holder knows to be trash."""
    bad_cards: int
    """Mask of gotten cards that are trash or copies of other gotten cards, unknown to their holder."""
    stall_severity: int
    """How badly the player to move must stall: 0 not, 1 early game, 2 no discard, 3 locked, 4 all tokens."""
    end_phase: int
    """1 when the pace is below the number of players."""
    called: int
    """Mask of the cards whose step is open now."""
    call_focuses: int
    """Mask of the cards that an open call is about."""
    hidden: int
    """Mask of the cards in hands whose identity is unknown to us."""
    gotten_ids: int
    """Mask of the identities that the holders of gotten cards which may be good allow for."""

    chop: Annotated[Row, MAX_SEATS]
    """By seat, the order of the chop, -1 if there is none."""
    finesse_card: Annotated[Row, MAX_SEATS]
    """By seat, the order on the finesse position (`hands.finesse_position`), -1 if there is none."""
    hand_ids: Annotated[Row, MAX_SEATS]
    """By seat, the identities of the gotten cards in that hand."""
    sure_ids: Annotated[Row, MAX_SEATS]
    """By seat, those of them that the holder knows."""
    cards: Annotated[Row, MAX_SEATS]
    """By seat, the mask of the cards in hand."""
    belief: Annotated[Row, MAX_CARDS]
    """By order, the mask of the identities that the holder, who does not see the card, allows for now."""


@kernel
def begin_view(view: TurnView) -> None:
    """Forget the game before."""
    for order in range(MAX_CARDS):
        view.belief[order] = 0


@kernel
def is_locked(view: TurnView, seat: int) -> bool:
    """Return whether a hand has cards, but no chop."""
    return view.chop[seat] < 0 and view.cards[seat] != 0


@kernel
def find_view(game: Game, common: CommonKnowledge, view: TurnView, called: int, focuses: int) -> None:
    """Find what the turn looks like before its action.

    `called` are the cards whose step is open, `focuses` those that a call is about.
    """
    read_hands(game)
    view.needed = needed_cards(game)
    view.critical = critical_cards(game)
    view.gotten = game.clued | common.blind | common.transferred
    view.called = called
    view.call_focuses = focuses
    view.known_trash = 0
    view.hidden = 0
    view.doubtful = 0
    for seat in range(game.seats):
        _view_hand(game, common, view, seat)
    # Who acts can count on no more of the own hand than they know, nor do others take it for more.
    view.hand_ids[game.seat] = view.sure_ids[game.seat]
    _follow_plays(game, common, view)
    _find_danger(game, common, view)
    now = pace(game)
    view.end_phase = 1 if now == PACE_NULL or now < game.seats else 0
    _find_stall_severity(game, common, view)


@kernel
def _view_hand(game: Game, common: CommonKnowledge, view: TurnView, seat: int) -> None:
    """Find what the holder of a hand allows for, with its chop and its finesse position."""
    possible = game.know.known[seat]
    view.chop[seat] = -1
    view.finesse_card[seat] = -1
    view.cards[seat] = 0
    view.hand_ids[seat] = 0
    sure = 0
    for i in range(game.hand_len[seat]):
        order = game.hands[seat][i]
        bit = 1 << order
        number = game.identity[order]
        view.cards[seat] |= bit
        if number < 0:
            view.hidden |= bit
        if view.gotten & bit:
            means = _gotten_belief(game, common, view, order, possible[i])
            if common.weight[order] < BUILT_UPON and means != possible[i] & view.needed:
                view.doubtful |= bit
            if number >= 0:
                view.hand_ids[seat] |= 1 << number
            if is_one(means):
                sure |= means
        else:
            means = possible[i] & common.inferred[order]
            if means == 0:
                means = possible[i]
            if possible[i] & view.needed == 0:
                view.known_trash |= bit
            view.finesse_card[seat] = order
            if view.chop[seat] < 0 and not common.chop_moved & bit:
                view.chop[seat] = order
        view.belief[order] = means
    if sure and view.gotten & view.cards[seat]:
        sure = _tell_copies_apart(game, common, view, seat, sure)
    view.sure_ids[seat] = sure


@kernel
def _gotten_belief(game: Game, common: CommonKnowledge, view: TurnView, order: int, possible: int) -> int:
    """Return what the holder of a gotten card allows for, and note known trash."""
    bit = 1 << order
    means = possible & common.inferred[order]
    if common.trash_cards & bit:
        view.known_trash |= bit
    if means & view.needed:
        return means & view.needed
    if possible & view.needed:
        # What messages left is gone: they erred, or another hand played the card. Good touch stays.
        left = possible & view.needed & ~_clued_elsewhere(game, game.place[order])
        return left if left else possible & view.needed
    view.known_trash |= bit
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
def _doubt_copies(game: Game, common: CommonKnowledge, view: TurnView, seat: int, sure: int) -> int:
    """Widen what two cards of one clue may be of which good touch leaves one identity; return what is sure.

    No two gotten cards are the same: so good touch was broken, and which card is the bad one nobody said.
    """
    possible = game.know.known[seat]
    once = 0
    twice = 0
    for i in range(game.hand_len[seat]):
        means = view.belief[game.hands[seat][i]]
        if is_one(means):
            twice |= once & means
            once |= means
    if twice == 0:
        return sure
    for i in range(game.hand_len[seat]):
        order = game.hands[seat][i]
        means = view.belief[order]
        if not _is_named_beside(common, view, order) or not is_one(means):
            continue
        for other_place in range(i):
            other = game.hands[seat][other_place]
            same = view.belief[other] == means and common.got_turn[other] == common.got_turn[order]
            if not same or not _is_named_beside(common, view, other):
                continue
            if possible[i] & possible[other_place] & view.needed & ~means:
                view.belief[order] = possible[i] & view.needed
                view.belief[other] = possible[other_place] & view.needed
                sure &= ~means
    return sure


@kernel
def _is_named_beside(common: CommonKnowledge, view: TurnView, order: int) -> bool:
    """Return whether a card was got beside another, and is not known to be trash."""
    return (view.gotten & ~view.known_trash & ~common.focus_cards & ~common.blind) >> order & 1 != 0


@kernel
def _tell_copies_apart(game: Game, common: CommonKnowledge, view: TurnView, seat: int, sure: int) -> int:
    """Take what one card of a hand must be from the others, and return what the holder is sure of then.

    By good touch no two gotten cards are the same. Where two have one and the same identity left, the one
    that was the focus of a clue has it, or else the older one, and the other is trash.
    """
    size = game.hand_len[seat]
    sure = _doubt_copies(game, common, view, seat, sure)
    named = 0
    owner = 0
    for attempt in range(2):
        for i in range(size):
            order = game.hands[seat][i]
            bit = 1 << order
            means = view.belief[order]
            if not view.gotten & bit or view.known_trash & bit or not is_one(means):
                continue
            if not means & named and (attempt == 1 or common.focus_cards & bit):
                named |= means
                owner |= bit
    for i in range(size):
        order = game.hands[seat][i]
        bit = 1 << order
        if not view.gotten & bit or owner & bit or view.known_trash & bit:
            continue
        means = view.belief[order] & ~named
        if means:
            view.belief[order] = means
            if is_one(means):
                sure |= means
        elif game.clued & bit:
            view.known_trash |= bit
    return sure


@kernel
def _follow_plays(game: Game, common: CommonKnowledge, view: TurnView) -> None:
    """Find which gotten cards play without a further message, and how far the stacks come with them."""
    playable = game.playable
    played = 0
    playing = 0
    waiting = view.gotten & ~view.known_trash & ~view.doubtful
    changed = True
    while changed:
        changed = False
        rest = waiting
        while rest:
            order = lowest(rest)
            bit = 1 << order
            rest = drop_lowest(rest)
            belief = view.belief[order]
            number = game.identity[order]
            # What is called behind another card, or waits for others to show nothing, only the holder does
            # not know yet.
            seen = number >= 0 and game.place[order] != game.seat
            dug_out = seen and common.blind & bit
            awaited = seen and view.call_focuses & bit and belief >> number & 1
            fits = seen and playable >> number & 1
            if belief & ~(playable | played) == 0 or (fits and (dug_out or awaited)):
                waiting ^= bit
                playing |= bit
                changed = True
                if game.place[order] == game.seat or number < 0:
                    number = lowest(belief) if is_one(belief) else -1
                if number >= 0 and playable >> number & 1:
                    playable = after_playing(game, playable, number)
                    played |= 1 << number
    view.hypo_playable = playable
    view.hypo_played = played
    view.future_plays = playing


@kernel
def _plain(common: CommonKnowledge, view: TurnView, order: int) -> int:
    """Return what the holder of a card builds upon: what more than a deep chain explains, or all."""
    plain = view.belief[order] & ~common.deep[order]
    return plain if plain else view.belief[order]


@kernel
def _find_danger(game: Game, common: CommonKnowledge, view: TurnView) -> None:
    """Find the cards that play by mistake, those that play rightly, hidden copies, and what cards may be."""
    view.playable_now = 0
    view.misplays = 0
    view.bad_cards = 0
    view.gotten_ids = 0
    once = 0
    twice = 0
    rest = view.gotten
    while rest:
        order = lowest(rest)
        bit = 1 << order
        rest = drop_lowest(rest)
        number = game.identity[order]
        trash = view.known_trash & bit
        if not trash:
            view.gotten_ids |= view.belief[order]
        if not trash and _plain(common, view, order) & ~game.playable == 0:
            view.playable_now |= bit & ~view.doubtful
        unfit = number >= 0 and not game.playable >> number & 1
        if unfit and not trash and view.belief[order] & ~game.playable == 0:
            view.misplays |= bit
        if number >= 0:
            if not trash and not view.needed >> number & 1:
                view.bad_cards |= bit
            twice |= once & 1 << number
            once |= 1 << number
    if twice:
        _find_copies(game, common, view, twice)


@kernel
def _find_copies(game: Game, common: CommonKnowledge, view: TurnView, twice: int) -> None:
    """Add the copies of gotten cards to `bad_cards`: those that were gotten last."""
    rest = view.gotten & ~view.known_trash
    while rest:
        order = lowest(rest)
        bit = 1 << order
        rest = drop_lowest(rest)
        number = game.identity[order]
        if number < 0 or not twice >> number & 1:
            continue
        others = view.gotten & ~bit
        while others:
            other = lowest(others)
            others = drop_lowest(others)
            if game.identity[other] == number and common.got_turn[other] <= common.got_turn[order]:
                view.bad_cards |= bit


@kernel
def _find_stall_severity(game: Game, common: CommonKnowledge, view: TurnView) -> None:
    """Find how badly the player to move must stall."""
    seat = game.seat
    view.stall_severity = common.early
    if common.seats_to_clue >> seat & 1 or _may_lose_both(game, common, view):
        view.stall_severity = 2
    if is_locked(view, seat):
        view.stall_severity = LOCKED
    if game.tokens >= game.full_tokens and game.turn > 0:
        view.stall_severity = 4


@kernel
def _may_lose_both(game: Game, common: CommonKnowledge, view: TurnView) -> bool:
    """Return whether the chop of the player to move may be the other copy of a card just lost."""
    chop = view.chop[game.seat]
    lost = common.just_lost
    if lost < 0 or chop < 0 or not view.belief[chop] >> lost & 1:
        return False
    for other in range(game.seats):
        if other != game.seat:
            for i in range(game.hand_len[other]):
                if game.identity[game.hands[other][i]] == lost:
                    return False
    return True
