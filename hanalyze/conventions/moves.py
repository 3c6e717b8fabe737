"""Conventions of plays and discards: order of 1s, special and emergency discards, positional messages.

H-Group: https://hanabi.github.io/level-3#playing-multiple-1s,
https://hanabi.github.io/level-3#the-sarcastic-discard, https://hanabi.github.io/level-7,
https://hanabi.github.io/level-8, https://hanabi.github.io/level-10 and https://hanabi.github.io/level-23.
"""

from __future__ import annotations

from hanalyze.conventions.focus import seen_copies
from hanalyze.conventions.open_calls import open_step_of
from hanalyze.conventions.state import ConventionState, begin_verdict, refuse
from hanalyze.conventions.steps import MAX_STEPS, clear_chain, push_step
from hanalyze.conventions.turn_view import LOCKED, finesse_position, newest, nth_position
from hanalyze.conventions.unclear_clues import is_supposed_call
from hanalyze.engine.game import MAX_HAND, Game, next_seats
from hanalyze.engine.rules import find_defect
from hanalyze.engine.stacks import after_playing
from hanalyze.game.actions import DISCARD
from hanalyze.game.meanings import Convention, Reason, StepKind
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import is_one, lowest

kernel_module(__name__)


def judge_play(game: Game, state: ConventionState, order: int, fits: bool) -> None:
    """Judge the play of a card of the player to move; `fits` is False for a misplay."""
    view, common, verdict = state.turn_view, state.common, state.verdict
    belief = view.belief[order]
    begin_verdict(verdict, order, 0, belief)
    if not fits:
        verdict.reasons |= 1 << Reason.MISPLAY
    call = open_step_of(state, order)
    if call >= 0 or common.blind >> order & 1:
        verdict.name = _answer(state, call)
        return
    verdict.name = Convention.PLAIN_PLAY
    is_sure = belief & ~game.playable == 0
    if not view.gotten >> order & 1 and not is_sure:
        late = common.level >= 8 and not fits and _is_late(game, state)
        if not late or not _judge_position(game, state, order, Convention.POSITIONAL_MISPLAY):
            refuse(verdict, Reason.GUESS)
            if is_supposed_call(game, state, order):
                verdict.reasons |= 1 << Reason.SUPPOSED_CALL
        return
    if not is_sure:
        verdict.reasons |= 1 << Reason.GUESS
    if common.level >= 3:
        _judge_ones(game, state, order)


def _answer(state: ConventionState, call: int) -> int:
    """Return the convention for playing a called card; `call` is the index of the call, -1 if it is over."""
    if call >= 0:
        kind = state.calls[call].steps[state.calls[call].done].kind
        if kind in (StepKind.PROMPT, StepKind.HIDDEN_PROMPT):
            return Convention.PROMPTED_PLAY
    return Convention.BLIND_PLAY


def _judge_ones(game: Game, state: ConventionState, order: int) -> None:
    """Judge a play as one of several unknown 1s: in order, or as an order chop move."""
    view, verdict = state.turn_view, state.verdict
    skipped = _ones_before(game, state, order)
    if skipped < 0:
        return
    verdict.name = Convention.ORDER_OF_ONES
    verdict.second = Convention.PLAIN_PLAY
    if skipped == 0:
        return
    verdict.reasons |= 1 << Reason.OUT_OF_ORDER
    target = (game.seat + skipped) % game.seats
    chop = view.chop[target]
    # A player with known trash to discard needs no chop move.
    loaded = view.known_trash & view.cards[target]
    if state.common.level >= 4 and target != game.seat and chop >= 0 and not loaded and not view.end_phase:
        verdict.name = Convention.ORDER_CHOP_MOVE
        verdict.second = -1
        verdict.marked_cards = 1 << chop


def _ones_before(game: Game, state: ConventionState, order: int) -> int:
    """Return how many unknown 1s of the hand precede this one, -1 if it is not one of several.

    The focus comes first, then 1s drawn after the deal, newest first, then dealt 1s, oldest first.
    """
    common = state.common
    ones = 0
    for card in game.hands[game.seat][: game.hand_len[game.seat]]:
        by_rank = (
            (game.clued & ~state.turn_view.known_trash) >> card & 1
            and game.rank_clues[card]
            and game.colour_clues[card] == 0
        )
        if by_rank and game.possible[card] & ~game.variant.rank_touch[1] == 0:
            ones |= 1 << card
    if is_one(ones) or not ones >> order & 1 or is_one(state.turn_view.belief[order]):
        return -1
    before = 0
    focused = common.focus_cards >> order & 1
    fresh = not common.starting_cards >> order & 1
    for card in game.hands[game.seat][: game.hand_len[game.seat]]:
        if card == order or not ones >> card & 1:
            continue
        other_fresh = not common.starting_cards >> card & 1
        if focused != common.focus_cards >> card & 1:
            before += not focused
        elif fresh != other_fresh:
            before += other_fresh
        else:
            before += card > order if fresh else card < order
    return before


def _is_late(game: Game, state: ConventionState) -> bool:
    """Return whether positional messages apply: near the end, or with at most three points to score."""
    return state.turn_view.end_phase != 0 or game.max_score - game.raw_score <= 3


def _is_unusual_discard(game: Game, state: ConventionState, order: int) -> bool:
    """Return whether the rules allow the discard of a card that is neither gotten nor due to be discarded."""
    view, seat = state.turn_view, game.seat
    # Only gotten trash takes precedence over the chop, not unclued cards that are known trash.
    trash_cards = view.known_trash & view.cards[seat] & view.gotten
    expected_card = newest(game, seat, trash_cards) if trash_cards else view.chop[seat]
    is_unusual = order != expected_card and not view.gotten >> order & 1
    return is_unusual and find_defect(game, DISCARD, order, 0) == 0


def _judge_position(game: Game, state: ConventionState, order: int, name: int) -> bool:
    """Judge whether an action on a slot is a message to the last player with a playable card in that slot."""
    view, verdict, seat = state.turn_view, state.verdict, game.seat
    slot = 0
    while game.hands[seat][game.hand_len[seat] - 1 - slot] != order:
        slot += 1
    target = -1
    before = -1
    for other in next_seats(seat, game.seats):
        index = game.hand_len[other] - 1 - slot
        if index < 0:
            continue
        card = game.hands[other][index]
        number = game.identity[card]
        if view.gotten >> card & 1:
            continue
        if number >= 0:
            if game.playable >> number & 1:
                before = target
                target = card
        elif target < 0 and view.belief[card] & game.playable:
            target = card
            verdict.certainty = 50
    if target < 0:
        return False
    if name == Convention.POSITIONAL_MISPLAY and before >= 0 and _is_unusual_discard(game, state, order):
        # A discard in this slot would have called only one card; a strike calls two.
        push_step(verdict.chain, game.place[before], before, StepKind.FINESSE, game.playable)
    push_step(verdict.chain, game.place[target], target, StepKind.FINESSE, game.playable)
    verdict.name = name
    return True


def judge_discard(game: Game, state: ConventionState, order: int) -> None:
    """Judge the discard of a card of the player to move."""
    view, common, verdict = state.turn_view, state.common, state.verdict
    seat, bit = game.seat, 1 << order
    begin_verdict(verdict, order, 0, view.belief[order])
    verdict.name = Convention.PLAIN_DISCARD
    trash = view.known_trash & bit
    if view.gotten & bit and not trash and common.level >= 3 and _judge_transfer(game, state, order):
        return
    if common.level >= 7 and _judge_emergency(game, state, order):
        return
    unusual = common.level >= 8 and _is_unusual_discard(game, state, order) and _is_late(game, state)
    if unusual and _judge_position(game, state, order, Convention.POSITIONAL_DISCARD):
        return
    if not trash:
        _weigh_discard(game, state, order)
    elif common.level >= 7 and not _is_late(game, state) and view.playable_now & view.cards[seat]:
        # Except near the end, a player with a playable card may discard known trash only as a message.
        refuse(verdict, Reason.PLAYABLE_HELD)


def _weigh_discard(game: Game, state: ConventionState, order: int) -> None:
    """Give reasons against the discard of a card that is not known trash."""
    view, common, offers, verdict = state.turn_view, state.common, state.offers, state.verdict
    seat, bit = game.seat, 1 << order
    is_chop = order == view.chop[seat]
    if view.known_trash & view.cards[seat]:
        refuse(verdict, Reason.TRASH_HELD)
    if view.playable_now & view.cards[seat] & ~bit:
        refuse(verdict, Reason.PLAYABLE_HELD)
    could_clue = game.tokens >= game.variant.token_unit
    danger = view.stall_severity == 2 and common.just_lost >= 0 and could_clue and common.level >= 9
    if danger and not view.gotten & bit:
        refuse(verdict, Reason.DOUBLE_DISCARD)
    if view.gotten & bit:
        verdict.legal = 0
        return
    if not is_chop:
        refuse(verdict, Reason.OUT_OF_ORDER)
    five_stall = (
        offers.available >> Convention.FIVE_STALL & 1 and common.five_stalls == 0 and common.level >= 9
    )
    if common.early and (offers.best > 0 or five_stall):
        refuse(verdict, Reason.BETTER_CLUE)


def _judge_transfer(game: Game, state: ConventionState, order: int) -> bool:
    """Judge whether the discard of a gotten card names a copy in another hand."""
    view, verdict = state.turn_view, state.verdict
    belief = view.belief[order]
    number = game.identity[order]
    sure = is_one(belief)
    misled = sure and number >= 0 and not belief >> number & 1
    if misled:
        # Because of messages, the player takes the card for another one.
        number = lowest(belief)
    if number < 0 or not view.needed >> number & 1 or not belief >> number & 1:
        return False
    guess = -1
    guesses = 0
    for other in next_seats(game.seat, game.seats):
        for i in range(game.hand_len[other] - 1, -1, -1):
            card = game.hands[other][i]
            if not view.gotten >> card & 1:
                continue
            true = game.identity[card]
            if true == number:
                verdict.name = Convention.SARCASTIC_DISCARD
                # A player who is wrong about the discarded card names no copy.
                verdict.marked_cards = 0 if misled else 1 << card
                if not sure:
                    verdict.certainty = 50
                return True
            if true < 0 and game.possible[card] >> number & 1:
                guess = card
                guesses += 1
    if not sure or misled:
        return False
    if guess >= 0:
        verdict.name = Convention.SARCASTIC_DISCARD
        # If there are several such cards, only players who see them know which one is named.
        verdict.marked_cards = 1 << guess if guesses == 1 else 0
        verdict.certainty = 50
        return True
    if state.common.level >= 10 and _judge_finesse_transfer(game, state, number):
        return True
    return state.common.level >= 23 and judge_blaze(game, state, number)


def _judge_finesse_transfer(game: Game, state: ConventionState, number: int) -> bool:
    """Judge whether the discard of a known card calls a copy on a finesse position.

    A copy behind playable cards also counts if it is playable; cards of unknown identity are tried last.
    """
    verdict = state.verdict
    plays = game.playable >> number & 1 != 0
    for attempt in range(3):
        for other in next_seats(game.seat, game.seats):
            if _call_copy(game, state, other, number, plays and attempt == 0, attempt == 2):
                verdict.name = Convention.GENTLEMANS_DISCARD if plays else Convention.BATON_DISCARD
                if plays and attempt == 0 and _is_first_elsewhere(game, state, other, number):
                    # Both holders would play their copy.
                    refuse(verdict, Reason.DUPLICATE)
                return True
    clear_chain(verdict.chain)
    return False


def _call_copy(
    game: Game, state: ConventionState, other: int, number: int, layers: bool, hidden: bool
) -> bool:
    """Call a copy of the discarded card on the finesse position of a hand; return whether the hand has one.

    With `layers` the copy may lie behind playable cards; with `hidden` its identity may be unknown.
    """
    chain, view = state.verdict.chain, state.turn_view
    used = 0
    playable = game.playable
    clear_chain(chain)
    while chain.length < MAX_STEPS - 1:
        card = finesse_position(game, view, other, used)
        if card < 0:
            return False
        true = game.identity[card]
        guessed = true < 0 and hidden and view.belief[card] >> number & 1
        if true == number or guessed:
            push_step(chain, other, card, StepKind.FINESSE, 1 << number)
            if guessed:
                state.verdict.certainty = 50
            return True
        if not layers or true < 0 or not playable >> true & 1:
            return False
        push_step(chain, other, card, StepKind.LAYER, 1 << true)
        playable = after_playing(game, playable, true)
        used |= 1 << card
    return False


def _is_first_elsewhere(game: Game, state: ConventionState, other: int, number: int) -> bool:
    """Return whether a third player also has `number` on finesse position."""
    for third in range(game.seats):
        first = state.turn_view.finesse_card[third]
        if third not in (game.seat, other) and first >= 0 and game.identity[first] == number:
            return True
    return False


def _judge_emergency(game: Game, state: ConventionState, order: int) -> bool:
    """Judge whether a discard instead of a play is a message that protects a following player's chop.

    Plays that the player has already passed over for a discard without a message do not count.
    """
    view, common, verdict, seat = state.turn_view, state.common, state.verdict, game.seat
    plays = (view.playable_now | view.called & common.blind) & view.cards[seat]
    plays &= ~(common.left_plays | 1 << order)
    following = (seat + 1) % game.seats
    chop = view.chop[following]
    if plays == 0 or view.end_phase or chop < 0 or view.belief[chop] & view.needed == 0:
        return False
    unit = game.variant.token_unit
    # A clue to the chop with the last token would lock the next player if no other card is free.
    free = view.cards[following] & ~view.gotten & ~common.chop_moved
    few = game.tokens < unit or (game.tokens < 2 * unit and free == 1 << chop)
    loaded = (view.playable_now | view.known_trash) & view.cards[following]
    own_trash = view.known_trash & view.cards[seat]
    if own_trash:
        if loaded or not own_trash >> order & 1:
            return False
        rest = view.needed & ~seen_copies(game, state, seat, seat, chop)
        if _is_worth_saving(game, state, following) or rest >> game.identity[chop] & 1:
            verdict.name = Convention.SHOUT_DISCARD
            verdict.marked_cards = 1 << chop
            return True
        # This chop is trash, or a copy is in sight: only the chop of the player after next needs protection.
        few = game.tokens < unit
    elif order != view.chop[seat]:
        return False
    if not few:
        return False
    after_next = (seat + 2) % game.seats
    scream = _would_be_lost(game, state, following)
    generation = game.seats > 2 and _would_be_lost(game, state, after_next)
    if generation and not (scream and game.identity[view.chop[after_next]] < 0):
        verdict.name = Convention.GENERATION_DISCARD
        verdict.marked_cards = 1 << view.chop[after_next]
        verdict.certainty = 50
        return True
    if not scream:
        return False
    verdict.name = Convention.SCREAM_DISCARD
    verdict.marked_cards = 1 << chop
    return True


def _would_be_lost(game: Game, state: ConventionState, seat: int) -> bool:
    """Return whether a player is about to discard a valuable chop."""
    view = state.turn_view
    loaded = (view.playable_now | view.known_trash) & view.cards[seat]
    return loaded == 0 and _is_worth_saving(game, state, seat)


def _is_worth_saving(game: Game, state: ConventionState, seat: int) -> bool:
    """Return whether the chop of a hand is unknown, critical, playable, or a 2 without a copy in sight."""
    view = state.turn_view
    chop = view.chop[seat]
    if chop < 0:
        return False
    number = game.identity[chop]
    if number < 0:
        return True
    worth = view.critical | game.playable
    if number & 7 == 2 and view.needed >> number & 1:
        worth |= 1 << number & ~seen_copies(game, state, game.seat, game.seat, chop)
    return worth >> number & 1 != 0


def judge_blaze(game: Game, state: ConventionState, number: int) -> bool:
    """Judge whether a discard calls a copy of `number` on a player's second or later finesse position.

    The next player, who must be another one, plays the card on the same position. The discard is not a call
    if it was forced, or if the card on the first finesse position of the copy's holder is playable.
    """
    view, chain = state.turn_view, state.verdict.chain
    seat = (game.seat + 1) % game.seats
    forced = game.tokens < game.variant.token_unit or view.stall_severity == LOCKED
    if forced or view.end_phase or state.common.blind & view.cards[seat]:
        return False
    for ahead in range(2, game.seats):
        other = (game.seat + ahead) % game.seats
        first = view.finesse_card[other]
        true = game.identity[first] if first >= 0 else -1
        if true < 0 or game.playable >> true & 1:
            continue
        for place in range(2, MAX_HAND + 1):
            card = nth_position(game, view, other, place)
            answer = nth_position(game, view, seat, place)
            if card < 0 or answer < 0:
                break
            if game.identity[card] == number:
                if game.identity[answer] < 0 or not game.playable >> game.identity[answer] & 1:
                    return False
                clear_chain(chain)
                push_step(chain, seat, answer, StepKind.BLUFF, game.playable)
                push_step(chain, other, card, StepKind.FINESSE, 1 << number)
                state.verdict.name = Convention.BLAZE_DISCARD
                return True
    return False
