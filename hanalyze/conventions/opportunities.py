"""Conventions of the legal clues of a turn, the best clue, and the chops that clues could save.

Possible clues are judged by the same function as given clues. The reason `SAVE_MISSED` applies to the last
player who could have saved a chop at risk, `SAVE_LEFT` to a player who leaves the save to another.
Players with something better to do are not expected to discard. H-Group: https://hanabi.github.io/level-1
(save principle).
"""

from __future__ import annotations

from typing import Final

from hanalyze.conventions.bluffs import tells_nothing
from hanalyze.conventions.classes import BLUFFS, GETTING, OFFERED, SAVES, STALLS, URGENT, is_any, set_of
from hanalyze.conventions.clues import judge_clue
from hanalyze.conventions.ending import NEAR
from hanalyze.conventions.focus import may_be, may_pass, seen_copies, stalls_with_five
from hanalyze.conventions.reach import gotten_for_chains, ids_in_reach
from hanalyze.conventions.retouch import indirect_fixes, judge_stall, newly_touched_ids
from hanalyze.conventions.signals import pulls_by_five
from hanalyze.conventions.state import (
    OFFERED_CALLS,
    ConventionState,
    Offers,
    is_number,
    is_undefined,
    propose,
    refuse,
)
from hanalyze.conventions.steps import MAX_STEPS, clear_chain
from hanalyze.conventions.turn_view import TurnView
from hanalyze.engine.game import ALTERNATING, Game, next_seat, next_seats
from hanalyze.engine.measure import pace
from hanalyze.engine.rules import clue_touch
from hanalyze.engine.stacks import after_playing, fits_after
from hanalyze.game.actions import CLUED, COLOUR_CLUE, PLAYED, RANK_CLUE
from hanalyze.game.cards import RANK_SLOTS
from hanalyze.game.meanings import Convention, Reason
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import is_one, members, popcount

kernel_module(__name__)

_GIVES_A_PLAY: Final = set_of(Convention.PLAY_CLUE, Convention.DISTRIBUTION_CLUE, Convention.TRASH_CHOP_MOVE)
"""Clues after which the receiver has something better to do than to discard the chop."""


def chops_at_risk(game: Game, state: ConventionState) -> int:
    """Return chops that other players may discard next: last copies, and 2s without another copy in sight.

    The result is 0 once the deck is empty.
    """
    if game.drawn == game.cards:
        return 0
    view, common = state.turn_view, state.common
    busy = view.playable_now | view.doubtful | view.known_trash | common.blind & view.called
    chops = 0
    for other in next_seats(game.seat, game.seats):
        chop = view.chop[other]
        if chop < 0 or busy & view.cards[other] or common.seats_to_clue >> other & 1:
            continue
        number = game.identity[chop]
        if number < 0 or not view.needed >> number & 1:
            continue
        worth = view.critical >> number & 1
        if not worth and number & 7 == 2 and not game.variant.reversed >> (number >> 3) & 1:
            worth = not seen_copies(game, state, game.seat, game.seat, chop) >> number & 1
        if worth:
            chops |= 1 << chop
    return chops


def _is_busy_after(game: Game, state: ConventionState, holder: int, result: int, number: int) -> bool:
    """Return whether a play of `number` or a clue gives a player a new card to play or to discard."""
    view, clue, verdict = state.turn_view, state.clue, state.verdict
    for step in verdict.chain.steps[: verdict.chain.length]:
        if step.seat == holder:
            return True
    playable = game.playable
    if result == PLAYED:
        playable = after_playing(game, playable, number)
    elif result != CLUED or clue.receiver != holder:
        return False
    elif is_any(verdict.name, _GIVES_A_PLAY):
        return True
    for order in game.hands[holder][: game.hand_len[holder]]:
        if not view.gotten >> order & 1:
            continue
        belief = view.belief[order]
        if result == CLUED:
            belief &= clue.identities if clue.touched >> order & 1 else ~clue.identities
        if belief & ~playable == 0 or belief & view.needed == 0:
            return True
    return False


def _clues_first(game: Game, state: ConventionState, holder: int, result: int, tokens: int) -> bool:
    """Return whether a player will clue, not discard: in the early game, while a card is left to clue."""
    if not state.common.early or tokens < game.variant.token_unit:
        return False
    others = state.offers.better & ~state.turn_view.cards[holder]
    if result == CLUED:
        others &= ~state.clue.touched
    return others != 0


def weigh_saving(game: Game, state: ConventionState, result: int, number: int) -> None:
    """Refuse the action just judged, or note a reason against it, if it leaves a savable chop at risk.

    `result` is the result of the action, `number` the identity of the card that leaves the hand, -1 for a
    clue.
    """
    view, offers, verdict = state.turn_view, state.offers, state.verdict
    rest = offers.at_risk & offers.savable & ~verdict.marked_cards
    tokens = game.tokens
    if result == CLUED:
        rest &= ~state.clue.touched
        tokens -= game.variant.token_unit
    elif result != PLAYED:
        tokens += game.variant.token_unit
    if rest == 0 or is_any(verdict.name, URGENT):
        return
    helpers = False
    following = next_seat(game.seat, game.seats)
    for other in next_seats(game.seat, game.seats):
        chop = view.chop[other]
        at_risk = chop >= 0 and rest >> chop & 1 != 0
        # A player may not discard while all clue tokens are available.
        safe = other == following and tokens >= game.full_tokens
        safe = safe or _clues_first(game, state, other, result, tokens)
        if at_risk and not safe and not _is_busy_after(game, state, other, result, number):
            if not helpers:
                refuse(verdict, Reason.SAVE_MISSED)
                return
            verdict.reasons |= 1 << Reason.SAVE_LEFT
        must_play = state.common.blind & view.called & view.cards[other]
        helpers = helpers or (tokens >= game.variant.token_unit and must_play == 0)


_SAVING: Final = SAVES | set_of(Convention.LOCKED_HAND_SAVE, Convention.EIGHT_CLUE_SAVE)
_FEW: Final = 4  # a clued card with at most this many possible identities may well be any of them

# --- Ranks of clues.
_LAST: Final = 8
"""Highest rank of clues that only pass the turn near the end of the game; most stalls rank higher."""
_REMINDER: Final = _LAST + 11
"""Rank of clues near the end of the game that confirm a blind play; stalls of the end game rank lower."""
_GETS: Final = _REMINDER + 5
"""Lowest rank of play and save clues. Reminders of unplayed cards rank directly below."""
_MOST_WORTH: Final = 16
_CLEAN: Final = _GETS + 2 * _MOST_WORTH * (MAX_STEPS + 1)
"""Lowest rank of the stalls that are preferred to unclear play clues. Play, save and fix clues rank higher if
they are clear (`_rank_of`), save a chop at risk or stop a misplay."""


def _offer(offers: Offers, name: int) -> None:
    if name < OFFERED:
        offers.available |= 1 << name
    else:
        offers.available_more |= 1 << name - OFFERED


def _consider(game: Game, state: ConventionState, receiver: int, kind: int, value: int) -> None:
    clue, offers, verdict = state.clue, state.offers, state.verdict
    if clue_touch(game, kind, value) & offers.in_hand_ids[receiver] == 0:
        return
    propose(game, clue, receiver, kind, value)
    offers.legal_clues += 1
    passes = may_pass(state) and state.common.level >= 2
    if not judge_clue(game, state, False):
        if passes and judge_stall(game, state):
            # A burn that touches a bad card is possible, but never the best stall.
            _offer(offers, verdict.name)
        _note_reminder(game, state)
        return
    if passes:
        _consider_stall(game, state)
    name = verdict.name
    if verdict.legal and (name == Convention.BURN or is_any(name, STALLS)):
        _note_stall(game, state, name)
    if name == Convention.UNEXPLAINED or verdict.legal == 0:
        _note_reminder(game, state)
        return
    _offer(offers, name)
    if verdict.second >= 0:
        _offer(offers, verdict.second)
    offers.savable |= offers.at_risk & (clue.touched | verdict.marked_cards)
    if name == Convention.FIX_CLUE:
        offers.fixable |= 1 << verdict.focus
    offers.fixable |= indirect_fixes(game, state)
    stomps = clue.touched & state.common.blind
    fits = verdict.bad <= 1 and stomps == 0 and not verdict.reasons >> Reason.HIDDEN_CARD & 1
    if is_any(name, GETTING) and fits and verdict.second != Convention.TIME_TRAVEL_CHOP_MOVE:
        # In the early game, nobody has to give a tempo clue, which gets no card.
        optional = state.common.early and clue.newly == 0 and verdict.chain.length == 0
        if verdict.bad == 0 and not optional:
            offers.best = max(offers.best, verdict.worth)
            offers.best_for[receiver] = max(offers.best_for[receiver], verdict.worth)
            offers.better |= 1 << verdict.focus
        rank = _rank_of(game, state) if verdict.worth > 0 or _stops_misplay(game, state) else -1
        if rank > offers.clue_rank:
            if not _is_doubtful(game, state):
                _prefer(game, state, name, rank, 0)
            elif is_any(name, SAVES) and verdict.bad == 0:
                _prefer(game, state, name, 0, 1)  # still better than a risky discard
    elif 0 < game.cards - game.drawn <= NEAR:
        # Near the end of the game, any legal clue may pass the turn.
        if stomps == 0:
            _prefer(game, state, name, max(_LAST - verdict.bad, 0), 1)
        elif verdict.bad == 0 and _reminds(state):
            _prefer(game, state, name, _REMINDER, 1)
    _note_reminder(game, state)


def _note_reminder(game: Game, state: ConventionState) -> None:
    """Record a reminder: a clue that proves that a card left unplayed on its holder's last turn is playable.

    Such a clue ranks below play and save clues. The verdict is overwritten.
    """
    clue, view = state.clue, state.turn_view
    left = clue.touched & state.common.left_unplayed & view.playable_now
    if left == 0 or (clue.newly and (not is_one(clue.newly) or may_be(game, state))):
        return  # the receiver may take the new cards for useful ones
    for order in members(left):
        told = game.possible[order] & clue.identities
        if told & ~game.playable == 0 and game.identity[order] >= 0 and not _is_sure(game, view, order):
            state.verdict.focus = order
            clear_chain(state.verdict.chain)
            name = Convention.TEMPO_CLUE if state.common.level >= 6 else Convention.PLAY_CLUE
            late = game.turn - state.common.source_turn[order] > game.seats
            _prefer(game, state, name, _REMINDER + 1 + 2 * _leads_on(game, view, order) + late, 1)
            return


def _is_sure(game: Game, view: TurnView, order: int) -> bool:
    """Return whether clues and good touch, without other inferences, show a clued card to be playable."""
    useful = game.possible[order] & view.needed
    for other in members(view.cards[game.place[order]] & game.clued & ~(1 << order)):
        if is_one(useful) and game.possible[other] & view.needed == useful:
            return False  # either of the two cards may be trash
    return useful & ~game.playable == 0


def _leads_on(game: Game, view: TurnView, order: int) -> bool:
    """Return whether a gotten card may be the next card of the stack after `order`."""
    number = game.identity[order]
    return number >= 0 and fits_after(game, number) & view.gotten_ids != 0


def _reminds(state: ConventionState) -> bool:
    """Return whether the focus is the only touched card called blind, and seems playable to its holder."""
    blind = state.clue.touched & state.common.blind
    return blind == 1 << state.verdict.focus and (state.turn_view.playable_now & blind) != 0


def _stops_misplay(game: Game, state: ConventionState) -> bool:
    """Return whether a clue stops a misplay of the next player: a fix, or a clue to the other copy."""
    verdict, following = state.verdict, state.turn_view.cards[next_seat(game.seat, game.seats)]
    if verdict.name == Convention.FIX_CLUE and (state.turn_view.misplays & following) >> verdict.focus & 1:
        return True
    return indirect_fixes(game, state) & following != 0


def _is_doubtful(game: Game, state: ConventionState) -> bool:
    """Return whether a clue calls a copy of a gotten card, or depends on the giver's own cards.

    The result is also True for a clue that saves nothing and either leads to a misplay of the receiver or, at
    a pace above 0, touches two copies of a card, or a copy of a card that the giver may well hold.
    """
    view, verdict, seat = state.turn_view, state.verdict, game.seat
    if verdict.reasons >> Reason.GIVERS_CARD & 1:
        return True
    saves = state.offers.at_risk & (state.clue.touched | verdict.marked_cards)
    if not saves and _leads_to_misplay(game, state):
        return True
    if not saves and pace(game) > 0 and (_touches_copies(game, state) or _may_copy_own(game, state)):
        return True
    new_ids = 0
    for step in verdict.chain.steps[: verdict.chain.length]:
        number = game.identity[step.order]
        if step.seat == seat:
            return True
        if number >= 0 and not view.gotten >> step.order & 1:
            new_ids |= 1 << number
    if new_ids & view.elsewhere_ids[seat]:
        return True
    if not is_any(verdict.name, BLUFFS):
        return False
    # A card of the giver may be the card that precedes the focus, or the receiver may believe so.
    missing = game.playable if verdict.name == Convention.SELF_BLUFF else verdict.chain.steps[0].ids
    for order in members(view.cards[seat] & view.gotten & ~view.known_trash):
        if view.belief[order] & missing:
            return True
    return False


def _misreadings(game: Game, state: ConventionState) -> int:
    """Return the playable identities for which the receiver may mistake the focus of a save."""
    number, name = game.identity[state.verdict.focus], state.verdict.name
    if number < 0 or not is_any(name, _SAVING) or name == Convention.FIVE_SAVE or is_number(state.clue, 2):
        return 0
    open_ids = may_be(game, state) & (state.turn_view.hypo_playable | game.playable)
    return 0 if open_ids >> number & 1 else open_ids


def _leads_to_misplay(game: Game, state: ConventionState) -> bool:
    """Return whether the clue makes an untouched card seem playable to the receiver although it is not."""
    clue, view = state.clue, state.turn_view
    for order in members(view.cards[clue.receiver] & view.gotten & ~clue.touched):
        number = game.identity[order]
        if number < 0 or game.playable >> number & 1 or view.belief[order] & ~game.playable == 0:
            continue
        after = view.belief[order] & ~clue.identities
        if after and after & ~game.playable == 0:
            return True
    return False


def _touches_copies(game: Game, state: ConventionState) -> bool:
    new_ids = 0
    for order in members(state.clue.newly):
        number = game.identity[order]
        if number >= 0 and new_ids >> number & 1:
            return True
        new_ids |= 1 << max(number, 0)
    return False


def _may_copy_own(game: Game, state: ConventionState) -> bool:
    """Return whether a clued card in the giver's own hand may well be a copy of a newly touched card."""
    view, new_ids = state.turn_view, newly_touched_ids(game, state)
    for order in members(view.cards[game.seat] & game.clued & ~view.known_trash):
        if view.belief[order] & new_ids and popcount(view.belief[order]) <= _FEW:
            return True
    return False


def _rank_of(game: Game, state: ConventionState) -> int:
    """Return the rank of a play, save or fix clue.

    Clues are ranked first by points: 2 for a save, otherwise 1 for a fix, and 1 more if clear; then by cards
    gotten, connecting cards (fewer is better), and absence of bad touch. A clue is not clear if the receiver
    may take the saved card for a playable one (yellow to y4 may look like a play clue to y2, but number 4 may
    not), or if, at a pace above 0, it touches a bad card or a copy of a card that the giver may well hold.
    """
    verdict = state.verdict
    saves = state.offers.at_risk & (state.clue.touched | verdict.marked_cards)
    fixes = _stops_misplay(game, state)
    rank = 2 if saves else 1 if fixes else 0
    misread_ids = _misreadings(game, state)
    clear, clean = misread_ids == 0, verdict.bad == 0
    rank += 1 if clear and (pace(game) <= 0 or (clean and not _may_copy_own(game, state))) else 0
    worth = verdict.worth
    if verdict.name == Convention.TEMPO_CLUE or (verdict.bad and verdict.bad == popcount(state.clue.newly)):
        worth = 0  # clues that get a new card rank higher
    elif fixes and verdict.name != Convention.FIX_CLUE:
        worth += 1  # the clue has two effects
    elif fixes and state.clue.newly == 0 and not tells_nothing(game, state):
        worth = 1  # a fix that touches no new card has no other meaning, and its information shows the error
    rank = rank * _MOST_WORTH + min(worth, _MOST_WORTH - 1)
    farther = verdict.chain.length + (1 if misread_ids & game.playable else 0)
    rank = rank * (MAX_STEPS + 1) + max(MAX_STEPS - farther, 0)
    return _GETS + 2 * rank + (1 if clean else 0)


def _prefer(game: Game, state: ConventionState, name: int, rank: int, stalls: int) -> None:
    """Record a clue of convention `name` if it ranks highest; `stalls` is 1 if it only passes the turn."""
    clue, offers, verdict = state.clue, state.offers, state.verdict
    chain = verdict.chain
    if rank <= offers.clue_rank:
        return
    offers.clue_rank = rank
    offers.clue_name = name
    offers.clue_receiver = clue.receiver
    offers.clue_kind = clue.kind
    offers.clue_value = clue.value
    offers.clue_focus = verdict.focus
    offers.clue_stalls = stalls
    offers.clue_saves = 1 if offers.at_risk & (clue.touched | verdict.marked_cards) else 0
    offers.clue_fixes = 1 if _stops_misplay(game, state) else 0
    for place in range(OFFERED_CALLS):
        offers.clue_gets[place] = -1
        if not stalls and place < chain.length and chain.steps[place].seat != game.seat:
            offers.clue_gets[place] = game.identity[chain.steps[place].order]


def _note_stall(game: Game, state: ConventionState, name: int) -> None:
    """Record a stall without bad touch, unless it clues a 5 that its receiver may take for a playable one.

    A stall to the previous player ranks lower, because all other players can clue that hand later. Burns that
    remind a player of a card to play rank above other burns. In the end game, stalls rank below play clues,
    and a reminder of a card that its holder did not play is the best stall.
    """
    may_play = state.turn_view.hypo_playable | game.playable
    if name == Convention.FIVE_STALL and not pulls_by_five(game, state) and may_be(game, state) & may_play:
        return
    if state.verdict.bad:
        return
    before = (game.seat + game.seats - 1) % game.seats
    others = state.clue.receiver != before or game.seats == 2
    if others:
        state.offers.stalls |= 1 << name
    rank = 1 if others else 0
    ends = state.turn_view.end_phase
    if name in (Convention.FIVE_STALL, Convention.TEMPO_CLUE_STALL):
        rank += _LAST + 7 if ends else _CLEAN
    elif name in (Convention.BURN, Convention.HARD_BURN):
        focus = state.verdict.focus
        reminds = state.turn_view.playable_now >> focus & 1
        late = ends and reminds and game.turn - state.common.source_turn[focus] > game.seats
        leads = _leads_on(game, state.turn_view, focus)
        rank += _LAST + 9 + leads if late else _LAST + 1 + 2 * reminds
    elif _misreadings(game, state) == 0:
        rank += _LAST + 5
    _prefer(game, state, name, rank, 1)


def _consider_stall(game: Game, state: ConventionState) -> None:
    offers, verdict = state.offers, state.verdict
    if stalls_with_five(game, state):
        number = game.identity[verdict.focus]
        if number < 0 or not game.playable >> number & 1:
            offers.available |= 1 << Convention.FIVE_STALL
            _note_stall(game, state, Convention.FIVE_STALL)
    if verdict.name == Convention.UNEXPLAINED and state.clue.newly and judge_stall(game, state):
        offers.available |= 1 << verdict.name
        _note_stall(game, state, verdict.name)
        verdict.name = Convention.UNEXPLAINED


def find_opportunities(game: Game, state: ConventionState) -> None:
    """Compute the offers of the turn unless they are already computed."""
    offers = state.offers
    if offers.available >= 0:
        return
    offers.available = 0
    offers.stalls = 0
    offers.legal_clues = 0
    offers.better = 0
    offers.may_be_left = 0
    offers.at_risk = 0
    offers.savable = 0
    offers.fixable = 0
    offers.clue_rank = -1
    if game.tokens < game.variant.token_unit or is_undefined(game):
        return
    offers.at_risk = chops_at_risk(game, state)
    for seat in range(game.seats):
        offers.in_hand_ids[seat] = 0
        for order in game.hands[seat][: game.hand_len[seat]]:
            if game.identity[order] >= 0:
                offers.in_hand_ids[seat] |= 1 << game.identity[order]
    offers.searching = 1
    gotten_ids = gotten_for_chains(game, state)
    alternating = game.variant.flags & ALTERNATING
    by_colour = not (alternating and game.last_clue == COLOUR_CLUE)
    by_rank = not (alternating and game.last_clue == RANK_CLUE)
    for receiver in next_seats(game.seat, game.seats):
        offers.others_ids = 0
        for seat in next_seats(game.seat, game.seats):
            offers.others_ids |= offers.in_hand_ids[seat] if seat != receiver else 0
        offers.in_reach = ids_in_reach(game, state, receiver, gotten_ids)
        if by_colour:
            for colour in range(game.variant.colours):
                _consider(game, state, receiver, COLOUR_CLUE, colour)
        if by_rank:
            for rank in range(1, RANK_SLOTS):
                if game.variant.clue_ranks >> rank & 1:
                    _consider(game, state, receiver, RANK_CLUE, rank)
    offers.searching = 0
    if offers.clue_rank >= 0 and offers.clue_saves:
        # The chop of a player who will clue instead of discarding can be saved later.
        offers.clue_saves = 0 if _clues_first(game, state, offers.clue_receiver, PLAYED, game.tokens) else 1
    offers.may_be_left = 1 if _may_be_left(game, state) else 0


def _may_be_left(game: Game, state: ConventionState) -> bool:
    """Return whether all better clues are about one card, which a later finesse could call instead."""
    better = state.offers.better
    if better == 0 or not is_one(better):
        return False
    for seat in range(game.seats):
        first = state.turn_view.finesse_card[seat]
        if first >= 0 and better == 1 << first and state.turn_view.chop[seat] != first:
            return True
    return False
