"""What it means that a card leaves a hand: plays, discards, and the messages in them.

In: a turn that `look` has looked at, and the card that is played or discarded. Out: the places of `v` from
`MAIN` on, as for clues: the convention, the cards that it names or moves, and the steps that it calls for.
"""

from __future__ import annotations

from hanalyze.conventions import codes
from hanalyze.conventions import state as at
from hanalyze.conventions.calls import open_step_of
from hanalyze.conventions.chains import clear_chain, push_step
from hanalyze.conventions.focus import seen_copies
from hanalyze.conventions.hands import finesse_position, is_locked, newest
from hanalyze.engine.game import Game, Ints
from hanalyze.engine.stacks import fits_after
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import is_one

__all__ = ["judge_discard", "judge_play"]


@kernel
def _clear(v: Ints, order: int) -> None:
    clear_chain(v)
    v[at.MAIN] = codes.UNEXPLAINED
    v[at.SECOND] = -1
    v[at.CERTAINTY] = 100
    v[at.LEGAL] = 1
    v[at.WHY] = 0
    v[at.MOVED] = 0
    v[at.READINGS] = v[at.SEES + order]
    v[at.BAD] = 0
    v[at.WORTH] = 0
    v[at.ON_CHOP] = 0
    v[at.NEWLY] = 0
    v[at.FOCUS] = order


@kernel
def _ones_before(game: Game, v: Ints, seat: int, order: int) -> int:
    """Return how many unknown 1s of a hand should be played before this one, -1 if it is not one of several.

    The focus of the clue first, then those drawn since the first deal, newest first, then the others, oldest
    first.
    """
    ones = 0
    count = 0
    for i in range(game.hand_len[seat]):
        card = game.hands[seat][i]
        by_rank = game.clued >> card & 1 and game.colour_clues[card] == 0
        if by_rank and game.rank_clues[card] and game.possible[card] & ~game.variant.rank_touch[1] == 0:
            ones |= 1 << card
            count += 1
    if count < 2 or not ones >> order & 1:
        return -1
    sees = v[at.SEES + order]
    if is_one(sees):
        return -1
    before = 0
    for i in range(game.hand_len[seat]):
        card = game.hands[seat][i]
        if card == order or not ones >> card & 1:
            continue
        if v[at.FOCUSED] >> order & 1 and not v[at.FOCUSED] >> card & 1:
            continue
        if v[at.FOCUSED] >> card & 1 and not v[at.FOCUSED] >> order & 1:
            before += 1
            continue
        fresh = not v[at.STARTING] >> order & 1
        fresh_other = not v[at.STARTING] >> card & 1
        if fresh != fresh_other:
            before += fresh_other
        elif fresh:
            before += card > order
        else:
            before += card < order
    return before


@kernel
def _is_late(game: Game, v: Ints) -> bool:
    """Return whether it is late enough for messages by position."""
    return bool(v[at.END_PHASE] or game.max_score - game.raw_score <= 3)


@kernel
def _judge_position(game: Game, v: Ints, seat: int, order: int, name: int) -> bool:
    """Judge an unusual slot as a message to the last player with a playable card there."""
    size = game.hand_len[seat]
    slot = 0
    while game.hands[seat][size - 1 - slot] != order:
        slot += 1
    target = -1
    before = -1
    for ahead in range(1, game.seats):
        other = (seat + ahead) % game.seats
        place = game.hand_len[other] - 1 - slot
        if place < 0:
            continue
        card = game.hands[other][place]
        number = game.identity[card]
        if v[at.GOTTEN] >> card & 1:
            continue
        if number >= 0:
            if game.playable >> number & 1:
                before = target
                target = card
        elif target < 0 and v[at.SEES + card] & game.playable:
            target = card
            v[at.CERTAINTY] = 50
    if target < 0:
        return False
    if name == codes.POSITIONAL_MISPLAY and before >= 0:
        # A strike where a discard would have called one card: it calls two.
        push_step(v, game.place[before], before, codes.FINESSE_STEP, game.playable)
    push_step(v, game.place[target], target, codes.FINESSE_STEP, game.playable)
    v[at.MAIN] = name
    return True


@kernel
def judge_play(game: Game, v: Ints, order: int, fits: bool) -> None:
    """Judge the play of a card of the player to move."""
    seat = game.seat
    _clear(v, order)
    level = v[at.LEVEL]
    sees = v[at.SEES + order]
    if not fits:
        v[at.WHY] |= codes.MISPLAY
    chain = open_step_of(v, order)
    if chain >= 0 or v[at.FINESSED] >> order & 1:
        kind = codes.FINESSE_STEP
        if chain >= 0:
            done = v[at.chain_at(chain) + at.CHAIN_DONE]
            kind = v[at.step_at(chain, done) + at.STEP_KIND]
        asked = kind in (codes.PROMPT_STEP, codes.HIDDEN_PROMPT_STEP)
        v[at.MAIN] = codes.PROMPTED_PLAY if asked else codes.BLIND_PLAY
        return
    v[at.MAIN] = codes.PLAIN_PLAY
    known = sees & ~game.playable == 0
    if not v[at.GOTTEN] >> order & 1 and not known:
        late = level >= 8 and not fits and _is_late(game, v)
        if late and _judge_position(game, v, seat, order, codes.POSITIONAL_MISPLAY):
            return
        v[at.WHY] |= codes.GUESS
        v[at.LEGAL] = 0
        return
    if not known:
        v[at.WHY] |= codes.GUESS
    if level >= 3:
        before = _ones_before(game, v, seat, order)
        if before >= 0:
            v[at.MAIN] = codes.ORDER_OF_ONES
            v[at.SECOND] = codes.PLAIN_PLAY
            if before > 0:
                v[at.WHY] |= codes.OUT_OF_ORDER
            target = (seat + before) % game.seats
            chop = v[at.CHOP + target]
            if level >= 4 and before > 0 and target != seat and chop >= 0 and not v[at.END_PHASE]:
                v[at.MAIN] = codes.ORDER_CHOP_MOVE
                v[at.SECOND] = -1
                v[at.MOVED] = 1 << chop


@kernel
def _judge_transfer(game: Game, v: Ints, seat: int, order: int) -> bool:
    """Judge the discard of a known useful card as one that names a copy in another hand."""
    sees = v[at.SEES + order]
    number = game.identity[order]
    if number < 0 or not v[at.NEEDED] >> number & 1 or not sees >> number & 1:
        return False
    sure = is_one(sees)
    level = v[at.LEVEL]
    guess = -1
    guesses = 0
    for ahead in range(1, game.seats):
        other = (seat + ahead) % game.seats
        for i in range(game.hand_len[other] - 1, -1, -1):
            card = game.hands[other][i]
            if not v[at.GOTTEN] >> card & 1:
                continue
            true = game.identity[card]
            if true == number:
                v[at.MAIN] = codes.SARCASTIC_DISCARD
                v[at.MOVED] = 1 << card
                v[at.CERTAINTY] = 100 if sure else 50
                return True
            if true < 0 and game.possible[card] >> number & 1:
                guess = card
                guesses += 1
    if not sure:
        return False
    if guess >= 0:
        v[at.MAIN] = codes.SARCASTIC_DISCARD
        # One of them, where there are several: nobody who does not see them knows which.
        v[at.MOVED] = 1 << guess if guesses == 1 else 0
        v[at.CERTAINTY] = 50
        return True
    return level >= 10 and _judge_finesse_transfer(game, v, seat, number)


@kernel
def _judge_finesse_transfer(game: Game, v: Ints, seat: int, number: int) -> bool:
    """Judge the discard of a known card as one for a copy that no clue touched yet."""
    playable = game.playable
    plays = playable >> number & 1
    name = codes.GENTLEMANS_DISCARD if plays else codes.BATON_DISCARD
    for attempt in range(3):
        for ahead in range(1, game.seats):
            other = (seat + ahead) % game.seats
            used = 0
            fits = playable
            clear_chain(v)
            while True:
                card = finesse_position(game, v, other, used)
                if card < 0 or v[at.STEPS] >= at.MAX_STEPS - 1:
                    break
                true = game.identity[card]
                hidden = true < 0 and attempt == 2 and v[at.SEES + card] >> number & 1
                if true == number or hidden:
                    push_step(v, other, card, codes.FINESSE_STEP, 1 << number)
                    if plays and attempt == 0 and _is_first_elsewhere(game, v, seat, other, number):
                        # Both would play it.
                        v[at.LEGAL] = 0
                        v[at.WHY] |= codes.DUPLICATE
                    if hidden:
                        v[at.CERTAINTY] = 50
                    v[at.MAIN] = name
                    return True
                if attempt == 0 or not plays or true < 0 or not fits >> true & 1:
                    break
                push_step(v, other, card, codes.LAYER_STEP, 1 << true)
                fits = fits & ~(1 << true) | fits_after(game, true)
                used |= 1 << card
    clear_chain(v)
    return False


@kernel
def _is_first_elsewhere(game: Game, v: Ints, seat: int, other: int, number: int) -> bool:
    """Return whether a card is on the finesse position of a third player, too."""
    for third in range(game.seats):
        first = v[at.FIRST + third]
        if third not in (seat, other) and first >= 0 and game.identity[first] == number:
            return True
    return False


@kernel
def _judge_emergency(game: Game, v: Ints, seat: int, order: int) -> bool:
    """Judge the discard of a player who could have played as one that keeps the next player's chop."""
    held = (v[at.PLAYABLE_NOW] | v[at.CALLED]) & v[at.CARDS + seat] & ~(1 << order)
    held &= v[at.PLAYABLE_NOW] | v[at.FINESSED]
    if held == 0 or v[at.END_PHASE]:
        return False
    following = (seat + 1) % game.seats
    chop = v[at.CHOP + following]
    if chop < 0 or v[at.SEES + chop] & v[at.NEEDED] == 0:
        return False
    trash = v[at.KNOWN_TRASH] >> order & 1
    few = game.tokens < game.variant.token_unit or (
        game.tokens < 2 * game.variant.token_unit and is_locked(v, following)
    )
    if trash:
        v[at.MAIN] = codes.SHOUT_DISCARD
    elif few and order == v[at.CHOP + seat]:
        v[at.MAIN] = codes.SCREAM_DISCARD
    else:
        return False
    v[at.MOVED] = 1 << chop
    after_next = (seat + 2) % game.seats
    if game.seats > 2 and few and not _is_worth_saving(game, v, following):
        loaded = (v[at.PLAYABLE_NOW] | v[at.KNOWN_TRASH]) & v[at.CARDS + after_next]
        if _is_worth_saving(game, v, after_next) and loaded == 0:
            v[at.MAIN] = codes.GENERATION_DISCARD
            v[at.MOVED] = 1 << v[at.CHOP + after_next]
            v[at.CERTAINTY] = 50
    return True


@kernel
def _is_worth_saving(game: Game, v: Ints, seat: int) -> bool:
    """Return whether the chop of a hand is critical, or playable, or a 2 of which no copy is in sight."""
    chop = v[at.CHOP + seat]
    if chop < 0:
        return False
    number = game.identity[chop]
    if number < 0:
        return True
    worth = v[at.CRITICAL] | game.playable
    if number & 7 == 2 and v[at.NEEDED] >> number & 1:
        worth |= 1 << number & ~seen_copies(game, v, game.seat, game.seat, chop)
    return bool(worth >> number & 1)


@kernel
def judge_discard(game: Game, v: Ints, order: int) -> None:
    """Judge the discard of a card of the player to move."""
    seat = game.seat
    bit = 1 << order
    _clear(v, order)
    level = v[at.LEVEL]
    v[at.MAIN] = codes.PLAIN_DISCARD
    trash = v[at.KNOWN_TRASH] & bit
    if v[at.GOTTEN] & bit and not trash and level >= 3 and _judge_transfer(game, v, seat, order):
        return
    if level >= 7 and _judge_emergency(game, v, seat, order):
        return
    known = v[at.KNOWN_TRASH] & v[at.CARDS + seat]
    expected = newest(game, seat, known) if known else v[at.CHOP + seat]
    unusual = order != expected and level >= 8 and not v[at.GOTTEN] & bit and _is_late(game, v)
    if unusual and _judge_position(game, v, seat, order, codes.POSITIONAL_DISCARD):
        return
    if trash:
        return
    if known:
        v[at.WHY] |= codes.TRASH_HELD
    if v[at.PLAYABLE_NOW] & v[at.CARDS + seat] & ~bit:
        v[at.WHY] |= codes.PLAYABLE_HELD
    could_clue = game.tokens >= game.variant.token_unit
    danger = v[at.SEVERITY] == 2 and v[at.JUST_LOST] >= 0 and could_clue and level >= 9
    if danger and order == v[at.CHOP + seat]:
        v[at.WHY] |= codes.DOUBLE_DISCARD
    if v[at.GOTTEN] & bit:
        v[at.LEGAL] = 0
    elif order != v[at.CHOP + seat]:
        v[at.WHY] |= codes.OUT_OF_ORDER
    five_stall = v[at.AVAILABLE] >> codes.FIVE_STALL & 1 and v[at.FIVE_STALLS] == 0 and level >= 9
    if v[at.EARLY] and not v[at.GOTTEN] & bit and (v[at.BEST] > 0 or five_stall):
        v[at.WHY] |= codes.BETTER_CLUE
    if v[at.WHY]:
        v[at.LEGAL] = 0
