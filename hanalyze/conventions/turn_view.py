"""A turn as seen by players who share conventions: chops, finesse positions, future plays, stall severity.

The player to move knows the cards of their own hand only from clues and messages. H-Group:
https://hanabi.github.io/level-1 and https://hanabi.github.io/level-9.
"""

from __future__ import annotations

from typing import Final

from hanalyze.conventions.common_knowledge import NAMED, CommonKnowledge
from hanalyze.conventions.steps import BUILT_UPON, ByOrder, BySeat
from hanalyze.engine.game import Game, next_seats
from hanalyze.engine.knowledge import read_hands
from hanalyze.engine.measure import critical_cards, needed_cards, pace
from hanalyze.engine.stacks import after_playing
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import highest, is_one, lowest, members
from hanalyze.kernels.record import Record
from hanalyze.tables import PACE_NULL

kernel_module(__name__)


def newest(game: Game, seat: int, cards: int) -> int:
    """Return the newest of the `cards` in a hand, -1 if `cards` is empty."""
    if not game.rules.card_cycle:
        # Cards keep their places, so later cards have higher orders.
        return highest(cards)
    for i in range(game.hand_len[seat] - 1, -1, -1):
        if cards >> game.hands[seat][i] & 1:
            return game.hands[seat][i]
    return -1


def oldest(game: Game, seat: int, cards: int) -> int:
    """Return the oldest of the `cards` in a hand, -1 if `cards` is empty."""
    if not game.rules.card_cycle:
        return lowest(cards) if cards else -1
    for order in game.hands[seat][: game.hand_len[seat]]:
        if cards >> order & 1:
            return order
    return -1


def finesse_position(game: Game, view: TurnView, seat: int, skip: int) -> int:
    """Return the newest card of a hand that is neither gotten nor in `skip`, -1 if there is none."""
    return newest(game, seat, view.cards[seat] & ~view.gotten & ~skip)


def nth_position(game: Game, view: TurnView, seat: int, place: int) -> int:
    """Return the card on the `place`-th finesse position of a hand, counted from 1; -1 if there is none."""
    used = 0
    order = -1
    for _ in range(place):
        order = finesse_position(game, view, seat, used)
        if order < 0:
            return -1
        used |= 1 << order
    return order


def free_behind(game: Game, view: TurnView, seat: int, order: int, chop_moved: int) -> int:
    """Return the cards of a hand older than `order` (-1: all) that are neither gotten nor chop moved."""
    behind = (1 << order) - 1 if order >= 0 else -1
    if game.rules.card_cycle:
        behind = 0
        for card in game.hands[seat][: game.hand_len[seat]]:
            if card == order:
                break
            behind |= 1 << card
    return view.cards[seat] & behind & ~view.gotten & ~chop_moved


def useful_cards(game: Game, view: TurnView, giver: int, cards: int) -> int:
    """Count the `cards` that are unknown or needed.

    Of several copies only the first counts, and none if `giver` knows that a copy is gotten.
    """
    gotten_ids = view.elsewhere_ids[giver]
    count = 0
    for order in members(cards):
        number = game.identity[order]
        if number < 0:
            count += 1
        elif view.needed & ~gotten_ids & 1 << number:
            gotten_ids |= 1 << number
            count += 1
    return count


LOCKED: Final = 3
"""Stall severity of a turn whose player has cards, but no chop."""


class TurnView(Record):
    """View of a turn before its action. Written by `turn_view`, `state`."""

    # Sets of cards.
    gotten: int  # clued, called blind, or named by a discard
    future_plays: int  # will be played without a further message
    playable_now: int  # gotten cards that their holder takes for playable now
    doubtful: int  # gotten cards with inferences from a message that weighs less than `BUILT_UPON`
    misplays: int  # would be played now although they are not playable
    known_trash: int  # taken for trash by the holder, because of clues or messages
    bad_cards: int  # gotten trash and copies of gotten cards that the holder does not know as such
    called: int  # next cards of open calls
    call_focuses: int  # focuses of open calls
    hidden: int  # of unknown identity, because the hand is hidden

    # Sets of identities.
    needed: int  # still needed by a stack
    critical: int  # needed, with one copy left
    hypo_playable: int  # playable after all future plays
    hypo_played: int  # put on the stacks by future plays
    gotten_ids: int  # possible for gotten cards that are not known trash

    stall_severity: int  # 0 none, 1 early game, 2 discard to be avoided, 3 locked, 4 all tokens
    end_phase: int  # 1 when the pace is below the number of players or the deck is empty

    chop: BySeat  # order of the chop, -1 if locked
    finesse_card: BySeat  # order of the finesse position, or -1
    cards: BySeat  # cards in hand
    hand_ids: BySeat  # identities of the gotten cards in hand; `sure_ids` for the player to move
    sure_ids: BySeat  # identities of gotten cards that the holder knows
    elsewhere_ids: BySeat  # the player's `sure_ids`, and the `hand_ids` of all other hands
    belief: ByOrder  # identities that the holder considers possible


def is_locked(view: TurnView, seat: int) -> bool:
    """Return whether a hand has cards, but no chop."""
    return view.chop[seat] < 0 and view.cards[seat] != 0


def find_view(game: Game, common: CommonKnowledge, view: TurnView, called: int, focuses: int) -> None:
    """Compute the view; `called` and `focuses` are the results of `called_cards` and `call_focuses`."""
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
    # The player to move knows only the sure identities of their own hand.
    view.hand_ids[game.seat] = view.sure_ids[game.seat]
    for seat in range(game.seats):
        view.elsewhere_ids[seat] = view.sure_ids[seat]
        for other in next_seats(seat, game.seats):
            view.elsewhere_ids[seat] |= view.hand_ids[other]
    _follow_plays(game, common, view)
    _find_danger(game, common, view)
    now = pace(game)
    view.end_phase = 1 if now == PACE_NULL or now < game.seats else 0
    _find_stall_severity(game, common, view)


def _view_hand(game: Game, common: CommonKnowledge, view: TurnView, seat: int) -> None:
    """Find the holder's beliefs about a hand, its chop and its finesse position."""
    possible = game.know.known[seat]
    chop = -1
    first = -1
    cards = 0
    ids = 0
    sure = 0
    twice = 0
    for i in range(game.hand_len[seat]):
        order = game.hands[seat][i]
        bit = 1 << order
        number = game.identity[order]
        cards |= bit
        if number < 0:
            view.hidden |= bit
        if view.gotten & bit:
            means = _gotten_belief(game, common, view, order, possible[i])
            if common.weight[order] < BUILT_UPON and means & view.needed != possible[i] & view.needed:
                view.doubtful |= bit
            if number >= 0:
                ids |= 1 << number
            if is_one(means):
                twice |= sure & means
                sure |= means
        else:
            means = possible[i] & common.inferred[order]
            if means == 0:
                means = possible[i]
            if possible[i] & view.needed == 0:
                view.known_trash |= bit
            first = order
            if chop < 0 and not common.chop_moved & bit:
                chop = order
        view.belief[order] = means
    view.chop[seat] = chop
    view.finesse_card[seat] = first
    view.cards[seat] = cards
    view.hand_ids[seat] = ids
    view.sure_ids[seat] = _tell_copies_apart(game, common, view, seat, sure, twice) if sure else 0


def _gotten_belief(game: Game, common: CommonKnowledge, view: TurnView, order: int, possible: int) -> int:
    """Return the belief of the holder of a gotten card, and note known trash."""
    bit = 1 << order
    if common.inferred[order] == -1 and common.blind & bit:
        # The holder does not know of the call yet.
        return possible
    means = possible & common.inferred[order]
    if common.trash_cards & bit:
        view.known_trash |= bit
    if means & view.needed:
        # Good touch does not rule out identities that became useless after the clue.
        return means & (view.needed | dead_since(common, means, common.got_turn[order]))
    named = means and common.source_flags[order] & NAMED
    if named and common.copy_player[lowest(means)] != game.place[order]:
        # Another player has played a copy of the card that the clue named.
        view.known_trash |= bit
    if possible & view.needed:
        # The messages were wrong, or another player played a copy: only good touch remains.
        left = possible & view.needed & ~clued_elsewhere(game, game.place[order])
        return left if left else possible & view.needed
    view.known_trash |= bit
    return possible


def dead_since(common: CommonKnowledge, ids: int, turn: int) -> int:
    """Return those of `ids` that no stack can reach any more because of a card lost after `turn`."""
    dead = 0
    for number in members(ids & common.dead_ids):
        dead |= (common.dead_turn[number] > turn) << number
    return dead


def clued_elsewhere(game: Game, viewer: int) -> int:
    """Return the identities of the clued cards that a player sees."""
    seen_ids = 0
    for seat in next_seats(viewer, game.seats):
        for order in game.hands[seat][: game.hand_len[seat]]:
            if game.clued >> order & 1 and game.identity[order] >= 0:
                seen_ids |= 1 << game.identity[order]
    return seen_ids


def _doubt_copies(game: Game, common: CommonKnowledge, view: TurnView, seat: int, sure: int) -> int:
    """Widen the beliefs about two cards of one clue with the same single identity.

    One of the two cards breaks good touch, but no message shows which. Return the identities that are still
    `sure`.
    """
    possible = game.know.known[seat]
    for i in range(game.hand_len[seat]):
        order = game.hands[seat][i]
        means = view.belief[order]
        if not _is_side_card(common, view, order) or not is_one(means):
            continue
        for other_place in range(i):
            other = game.hands[seat][other_place]
            same = view.belief[other] == means and common.got_turn[other] == common.got_turn[order]
            if not same or not _is_side_card(common, view, other):
                continue
            if possible[i] & possible[other_place] & view.needed & ~means:
                view.belief[order] = possible[i] & view.needed
                view.belief[other] = possible[other_place] & view.needed
                sure &= ~means
    return sure


def _is_side_card(common: CommonKnowledge, view: TurnView, order: int) -> bool:
    """Return whether a gotten card is neither a focus nor called blind nor known trash."""
    return (view.gotten & ~view.known_trash & ~common.focus_cards & ~common.blind) >> order & 1 != 0


def _tell_copies_apart(
    game: Game, common: CommonKnowledge, view: TurnView, seat: int, sure: int, twice: int
) -> int:
    """Apply good touch within a hand, and return the identities that the holder is sure of.

    If two cards have the same single identity, it belongs to a card called to be played blind, else to the
    focus of a clue, else to the older card; the other card is trash if clued. `twice` has such identities.
    """
    size = game.hand_len[seat]
    if twice:
        sure = _doubt_copies(game, common, view, seat, sure)
    named_ids = 0
    owner = 0
    for first in (common.blind, common.focus_cards, -1):
        if not twice and first != -1:
            continue
        for i in range(size):
            order = game.hands[seat][i]
            bit = 1 << order
            means = view.belief[order]
            if not view.gotten & bit or view.known_trash & bit or not is_one(means):
                continue
            if not means & named_ids and first & bit:
                named_ids |= means
                owner |= bit
    for i in range(size):
        order = game.hands[seat][i]
        bit = 1 << order
        if not view.gotten & bit or owner & bit or view.known_trash & bit:
            continue
        means = view.belief[order] & ~named_ids
        if means:
            view.belief[order] = means
            if is_one(means):
                sure |= means
        elif game.clued & bit:
            view.known_trash |= bit
    return sure


def _follow_plays(game: Game, common: CommonKnowledge, view: TurnView) -> None:
    """Find the future plays, and the identities that are played and playable after them."""
    playable = game.playable
    played = 0
    playing = 0
    waiting = view.gotten & ~view.known_trash & ~view.doubtful
    changed = True
    while changed:
        changed = False
        for order in members(waiting):
            bit = 1 << order
            belief = view.belief[order]
            number = game.identity[order]
            # Cards called to be played blind, and focuses of open calls, also count as plays if the player to
            # move sees that they fit.
            seen_ids = number >= 0 and game.place[order] != game.seat
            dug_out = seen_ids and common.blind & bit
            awaited = seen_ids and view.call_focuses & bit and belief >> number & 1
            fits = seen_ids and playable >> number & 1
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


def _plain(common: CommonKnowledge, view: TurnView, order: int) -> int:
    """Return the belief without identities from deep chains, or the whole belief if no others are left."""
    plain = view.belief[order] & ~common.deep[order]
    return plain if plain else view.belief[order]


def _find_danger(game: Game, common: CommonKnowledge, view: TurnView) -> None:
    """Find misplays, playable cards, bad cards, and the identities of gotten cards."""
    view.playable_now = 0
    view.misplays = 0
    view.bad_cards = 0
    view.gotten_ids = 0
    once = 0
    twice = 0
    for order in members(view.gotten):
        bit = 1 << order
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


def _find_copies(game: Game, common: CommonKnowledge, view: TurnView, twice: int) -> None:
    """Add to `bad_cards` cards gotten no earlier than a copy, and cards misplayed once a copy is played."""
    for order in members(view.gotten & ~view.known_trash):
        bit = 1 << order
        number = game.identity[order]
        if number < 0 or not twice >> number & 1:
            continue
        rest = view.belief[order] & ~(1 << number)
        misleads = rest != 0 and rest & ~after_playing(game, game.playable, number) == 0
        for other in members(view.gotten & ~bit):
            if game.identity[other] != number:
                continue
            plays_first = misleads and view.playable_now >> other & 1 != 0
            if plays_first or common.got_turn[other] <= common.got_turn[order]:
                view.bad_cards |= bit


def _find_stall_severity(game: Game, common: CommonKnowledge, view: TurnView) -> None:
    seat = game.seat
    view.stall_severity = common.early
    if common.seats_to_clue >> seat & 1 or _may_lose_both(game, common, view):
        view.stall_severity = 2
    if is_locked(view, seat):
        view.stall_severity = LOCKED
    if game.tokens >= game.full_tokens and game.turn > 0:
        view.stall_severity = 4


def _may_lose_both(game: Game, common: CommonKnowledge, view: TurnView) -> bool:
    """Return whether the chop of the player to move may be the other copy of a card just lost."""
    chop = view.chop[game.seat]
    lost = common.just_lost
    if lost < 0 or chop < 0 or not view.belief[chop] >> lost & 1:
        return False
    for other in next_seats(game.seat, game.seats):
        for order in game.hands[other][: game.hand_len[other]]:
            if game.identity[order] == lost:
                return False
    return True
