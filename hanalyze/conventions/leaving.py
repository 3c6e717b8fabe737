"""What it means that a card leaves a hand: plays, discards, and the messages in them.

In: a turn that `look` has looked at, and the card that is played or discarded. Out: the record
`Verdict`, as for clues: the convention, the cards that it names or moves, and the steps that it calls for.
"""

from __future__ import annotations

from hanalyze.conventions import codes
from hanalyze.conventions.calls import open_step_of
from hanalyze.conventions.chains import clear_chain, push_step
from hanalyze.conventions.focus import seen_copies
from hanalyze.conventions.hands import finesse_position, is_locked, newest
from hanalyze.conventions.reading import MAX_STEPS, Reading
from hanalyze.engine.game import Game
from hanalyze.engine.stacks import fits_after
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import is_one

__all__ = ["judge_discard", "judge_play"]


@kernel
def _clear(reading: Reading, order: int) -> None:
    clear_chain(reading)
    reading.verdict.name = codes.UNEXPLAINED
    reading.verdict.second = -1
    reading.verdict.certainty = 100
    reading.verdict.legal = 1
    reading.verdict.why = 0
    reading.verdict.moved = 0
    reading.verdict.readings = reading.look.sees[order]
    reading.verdict.bad = 0
    reading.verdict.worth = 0
    reading.verdict.on_chop = 0
    reading.verdict.newly = 0
    reading.verdict.focus = order


@kernel
def _ones_before(game: Game, reading: Reading, seat: int, order: int) -> int:
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
    sees = reading.look.sees[order]
    if is_one(sees):
        return -1
    before = 0
    for i in range(game.hand_len[seat]):
        card = game.hands[seat][i]
        if card == order or not ones >> card & 1:
            continue
        if reading.told.focused >> order & 1 and not reading.told.focused >> card & 1:
            continue
        if reading.told.focused >> card & 1 and not reading.told.focused >> order & 1:
            before += 1
            continue
        fresh = not reading.told.starting >> order & 1
        fresh_other = not reading.told.starting >> card & 1
        if fresh != fresh_other:
            before += fresh_other
        elif fresh:
            before += card > order
        else:
            before += card < order
    return before


@kernel
def _is_late(game: Game, reading: Reading) -> bool:
    """Return whether it is late enough for messages by position."""
    return bool(reading.look.end_phase or game.max_score - game.raw_score <= 3)


@kernel
def _judge_position(game: Game, reading: Reading, seat: int, order: int, name: int) -> bool:
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
        if reading.look.gotten >> card & 1:
            continue
        if number >= 0:
            if game.playable >> number & 1:
                before = target
                target = card
        elif target < 0 and reading.look.sees[card] & game.playable:
            target = card
            reading.verdict.certainty = 50
    if target < 0:
        return False
    if name == codes.POSITIONAL_MISPLAY and before >= 0:
        # A strike where a discard would have called one card: it calls two.
        push_step(reading, game.place[before], before, codes.FINESSE_STEP, game.playable)
    push_step(reading, game.place[target], target, codes.FINESSE_STEP, game.playable)
    reading.verdict.name = name
    return True


@kernel
def judge_play(game: Game, reading: Reading, order: int, fits: bool) -> None:
    """Judge the play of a card of the player to move."""
    seat = game.seat
    _clear(reading, order)
    level = reading.told.level
    sees = reading.look.sees[order]
    if not fits:
        reading.verdict.why |= codes.MISPLAY
    chain = open_step_of(reading, order)
    if chain >= 0 or reading.told.finessed >> order & 1:
        kind = codes.FINESSE_STEP
        if chain >= 0:
            done = reading.calls[chain].done
            kind = reading.calls[chain].steps[done].kind
        asked = kind in (codes.PROMPT_STEP, codes.HIDDEN_PROMPT_STEP)
        reading.verdict.name = codes.PROMPTED_PLAY if asked else codes.BLIND_PLAY
        return
    reading.verdict.name = codes.PLAIN_PLAY
    known = sees & ~game.playable == 0
    if not reading.look.gotten >> order & 1 and not known:
        late = level >= 8 and not fits and _is_late(game, reading)
        if late and _judge_position(game, reading, seat, order, codes.POSITIONAL_MISPLAY):
            return
        reading.verdict.why |= codes.GUESS
        reading.verdict.legal = 0
        return
    if not known:
        reading.verdict.why |= codes.GUESS
    if level >= 3:
        before = _ones_before(game, reading, seat, order)
        if before >= 0:
            reading.verdict.name = codes.ORDER_OF_ONES
            reading.verdict.second = codes.PLAIN_PLAY
            if before > 0:
                reading.verdict.why |= codes.OUT_OF_ORDER
            target = (seat + before) % game.seats
            chop = reading.look.chop[target]
            if level >= 4 and before > 0 and target != seat and chop >= 0 and not reading.look.end_phase:
                reading.verdict.name = codes.ORDER_CHOP_MOVE
                reading.verdict.second = -1
                reading.verdict.moved = 1 << chop


@kernel
def _judge_transfer(game: Game, reading: Reading, seat: int, order: int) -> bool:
    """Judge the discard of a known useful card as one that names a copy in another hand."""
    sees = reading.look.sees[order]
    number = game.identity[order]
    if number < 0 or not reading.look.needed >> number & 1 or not sees >> number & 1:
        return False
    sure = is_one(sees)
    level = reading.told.level
    guess = -1
    guesses = 0
    for ahead in range(1, game.seats):
        other = (seat + ahead) % game.seats
        for i in range(game.hand_len[other] - 1, -1, -1):
            card = game.hands[other][i]
            if not reading.look.gotten >> card & 1:
                continue
            true = game.identity[card]
            if true == number:
                reading.verdict.name = codes.SARCASTIC_DISCARD
                reading.verdict.moved = 1 << card
                reading.verdict.certainty = 100 if sure else 50
                return True
            if true < 0 and game.possible[card] >> number & 1:
                guess = card
                guesses += 1
    if not sure:
        return False
    if guess >= 0:
        reading.verdict.name = codes.SARCASTIC_DISCARD
        # One of them, where there are several: nobody who does not see them knows which.
        reading.verdict.moved = 1 << guess if guesses == 1 else 0
        reading.verdict.certainty = 50
        return True
    return level >= 10 and _judge_finesse_transfer(game, reading, seat, number)


@kernel
def _judge_finesse_transfer(game: Game, reading: Reading, seat: int, number: int) -> bool:
    """Judge the discard of a known card as one for a copy that no clue touched yet."""
    playable = game.playable
    plays = playable >> number & 1
    name = codes.GENTLEMANS_DISCARD if plays else codes.BATON_DISCARD
    for attempt in range(3):
        for ahead in range(1, game.seats):
            other = (seat + ahead) % game.seats
            used = 0
            fits = playable
            clear_chain(reading)
            while True:
                card = finesse_position(game, reading, other, used)
                if card < 0 or reading.verdict.chain.length >= MAX_STEPS - 1:
                    break
                true = game.identity[card]
                hidden = true < 0 and attempt == 2 and reading.look.sees[card] >> number & 1
                if true == number or hidden:
                    push_step(reading, other, card, codes.FINESSE_STEP, 1 << number)
                    if plays and attempt == 0 and _is_first_elsewhere(game, reading, seat, other, number):
                        # Both would play it.
                        reading.verdict.legal = 0
                        reading.verdict.why |= codes.DUPLICATE
                    if hidden:
                        reading.verdict.certainty = 50
                    reading.verdict.name = name
                    return True
                if attempt == 0 or not plays or true < 0 or not fits >> true & 1:
                    break
                push_step(reading, other, card, codes.LAYER_STEP, 1 << true)
                fits = fits & ~(1 << true) | fits_after(game, true)
                used |= 1 << card
    clear_chain(reading)
    return False


@kernel
def _is_first_elsewhere(game: Game, reading: Reading, seat: int, other: int, number: int) -> bool:
    """Return whether a card is on the finesse position of a third player, too."""
    for third in range(game.seats):
        first = reading.look.first[third]
        if third not in (seat, other) and first >= 0 and game.identity[first] == number:
            return True
    return False


@kernel
def _judge_emergency(game: Game, reading: Reading, seat: int, order: int) -> bool:
    """Judge the discard of a player who could have played as one that keeps the next player's chop."""
    held = (reading.look.playable_now | reading.look.called) & reading.look.cards[seat] & ~(1 << order)
    held &= reading.look.playable_now | reading.told.finessed
    if held == 0 or reading.look.end_phase:
        return False
    following = (seat + 1) % game.seats
    chop = reading.look.chop[following]
    if chop < 0 or reading.look.sees[chop] & reading.look.needed == 0:
        return False
    trash = reading.look.known_trash >> order & 1
    few = game.tokens < game.variant.token_unit or (
        game.tokens < 2 * game.variant.token_unit and is_locked(reading, following)
    )
    if trash:
        reading.verdict.name = codes.SHOUT_DISCARD
    elif few and order == reading.look.chop[seat]:
        reading.verdict.name = codes.SCREAM_DISCARD
    else:
        return False
    reading.verdict.moved = 1 << chop
    after_next = (seat + 2) % game.seats
    if game.seats > 2 and few and not _is_worth_saving(game, reading, following):
        loaded = (reading.look.playable_now | reading.look.known_trash) & reading.look.cards[after_next]
        if _is_worth_saving(game, reading, after_next) and loaded == 0:
            reading.verdict.name = codes.GENERATION_DISCARD
            reading.verdict.moved = 1 << reading.look.chop[after_next]
            reading.verdict.certainty = 50
    return True


@kernel
def _is_worth_saving(game: Game, reading: Reading, seat: int) -> bool:
    """Return whether the chop of a hand is critical, or playable, or a 2 of which no copy is in sight."""
    chop = reading.look.chop[seat]
    if chop < 0:
        return False
    number = game.identity[chop]
    if number < 0:
        return True
    worth = reading.look.critical | game.playable
    if number & 7 == 2 and reading.look.needed >> number & 1:
        worth |= 1 << number & ~seen_copies(game, reading, game.seat, game.seat, chop)
    return bool(worth >> number & 1)


@kernel
def judge_discard(game: Game, reading: Reading, order: int) -> None:
    """Judge the discard of a card of the player to move."""
    seat = game.seat
    bit = 1 << order
    _clear(reading, order)
    level = reading.told.level
    reading.verdict.name = codes.PLAIN_DISCARD
    trash = reading.look.known_trash & bit
    if reading.look.gotten & bit and not trash and level >= 3 and _judge_transfer(game, reading, seat, order):
        return
    if level >= 7 and _judge_emergency(game, reading, seat, order):
        return
    known = reading.look.known_trash & reading.look.cards[seat]
    expected = newest(game, seat, known) if known else reading.look.chop[seat]
    unusual = order != expected and level >= 8 and not reading.look.gotten & bit and _is_late(game, reading)
    if unusual and _judge_position(game, reading, seat, order, codes.POSITIONAL_DISCARD):
        return
    if trash:
        return
    if known:
        reading.verdict.why |= codes.TRASH_HELD
    if reading.look.playable_now & reading.look.cards[seat] & ~bit:
        reading.verdict.why |= codes.PLAYABLE_HELD
    could_clue = game.tokens >= game.variant.token_unit
    danger = reading.look.severity == 2 and reading.told.just_lost >= 0 and could_clue and level >= 9
    if danger and order == reading.look.chop[seat]:
        reading.verdict.why |= codes.DOUBLE_DISCARD
    if reading.look.gotten & bit:
        reading.verdict.legal = 0
    elif order != reading.look.chop[seat]:
        reading.verdict.why |= codes.OUT_OF_ORDER
    five_stall = (
        reading.look.available >> codes.FIVE_STALL & 1 and reading.told.five_stalls == 0 and level >= 9
    )
    if reading.told.early and not reading.look.gotten & bit and (reading.look.best > 0 or five_stall):
        reading.verdict.why |= codes.BETTER_CLUE
    if reading.verdict.why:
        reading.verdict.legal = 0
