"""What one clue of a turn would mean: the same for a clue that was given and for one that could be.

In: a turn that `look` has looked at, giver, receiver, clue and touched cards. Out: the record
`Verdict`: the convention, its focus, the chain of steps that it calls for, the cards that it chop moves, its
worth and what speaks against it. The giver's view decides: all cards but those of the own hand.
"""

from __future__ import annotations

from hanalyze.conventions import codes
from hanalyze.conventions.chains import bluff_card, chain_name, clear_chain, find_chain, push_step
from hanalyze.conventions.focus import find_focus, last_ranks, save_set, seen_copies
from hanalyze.conventions.hands import elsewhere, oldest, useful_cards
from hanalyze.conventions.reading import MAX_STEPS, Reading
from hanalyze.conventions.retouch import judge_fix, judge_nothing_new, judge_retouch
from hanalyze.engine.game import Game
from hanalyze.engine.step import RANK_CLUE
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, is_one, lowest, popcount

__all__ = ["cards_behind", "elsewhere", "judge_clue", "judge_stall", "stalls_with_five"]


@kernel
def _count_touch(game: Game, reading: Reading, giver: int, receiver: int, newly: int) -> None:
    """Count the newly touched cards that are useful, and those that break good touch."""
    held = elsewhere(game, reading, giver)
    bad = 0
    good = 0
    trash = 0
    for i in range(game.hand_len[receiver]):
        order = game.hands[receiver][i]
        if not newly >> order & 1:
            continue
        number = game.identity[order]
        if number < 0:
            good += 1
        elif not reading.look.needed >> number & 1:
            bad += 1
            trash = 1
        elif held >> number & 1:
            if not reading.look.gotten >> order & 1:
                bad += 1
            else:
                good += 1
        else:
            held |= 1 << number
            good += 1
    reading.verdict.bad = bad
    reading.verdict.worth = good
    if bad:
        reading.verdict.why |= codes.BAD_TOUCH if trash else codes.DUPLICATE


@kernel
def cards_behind(game: Game, reading: Reading, receiver: int, order: int) -> int:
    """Return the cards of a hand that are older than `order` and free to be discarded."""
    behind = 0
    for i in range(game.hand_len[receiver]):
        card = game.hands[receiver][i]
        if card == order:
            break
        behind |= 1 << card
    return int(behind & ~reading.look.gotten & ~reading.told.chop_moved)


@kernel
def _judge_chop_move(
    game: Game, reading: Reading, giver: int, receiver: int, kind: int, value: int, touch: int, newly: int
) -> bool:
    """Judge clues that move a chop by what they touch, and return whether this is one."""
    focus = reading.verdict.focus
    right = oldest(game, receiver, newly)
    could_be = game.possible[focus] & touch & reading.look.needed & ~reading.look.hypo_played
    if reading.verdict.on_chop and could_be == 0 and reading.told.level >= 14:
        return _judge_push(game, reading, receiver)
    if reading.verdict.on_chop == 0 and could_be == 0 and newly >> focus & 1:
        moved = cards_behind(game, reading, receiver, right)
        if moved and not reading.look.end_phase:
            reading.verdict.name = codes.TRASH_CHOP_MOVE
            reading.verdict.moved = moved
            reading.verdict.worth = useful_cards(game, reading, giver, moved)
            reading.verdict.bad = 0
            reading.verdict.why &= ~(codes.BAD_TOUCH | codes.DUPLICATE)
            return True
        return False
    if kind == RANK_CLUE and value == game.variant.stack_size and newly and reading.verdict.on_chop == 0:
        number = game.identity[focus]
        if number >= 0 and not last_ranks(game) >> number & 1:
            return False
        behind = cards_behind(game, reading, receiver, right)
        severity = reading.look.severity
        if severity == 0 and popcount(behind) == 1 and not reading.look.end_phase:
            chop = reading.look.chop[receiver]
            if reading.look.sees[chop] & reading.look.needed:
                reading.verdict.name = codes.FIVE_CHOP_MOVE
                reading.verdict.moved = behind
                reading.verdict.worth += useful_cards(game, reading, giver, behind)
                return True
    return False


@kernel
def _judge_push(game: Game, reading: Reading, receiver: int) -> bool:
    """Judge known trash on the chop as a call of the card that is the chop then."""
    free = (
        reading.look.cards[receiver]
        & ~reading.look.gotten
        & ~reading.told.chop_moved
        & ~reading.verdict.touched
    )
    pushed = oldest(game, receiver, free)
    if pushed < 0 or reading.look.end_phase:
        return False
    number = game.identity[pushed]
    if number >= 0 and not game.playable >> number & 1:
        return False
    reading.verdict.name = codes.TRASH_PUSH
    push_step(reading, receiver, pushed, codes.FINESSE_STEP, game.playable)
    reading.verdict.chain.blind = 1
    reading.verdict.worth = 1
    reading.verdict.bad = 0
    reading.verdict.why &= ~(codes.BAD_TOUCH | codes.DUPLICATE)
    return True


@kernel
def stalls_with_five(game: Game, reading: Reading, kind: int, value: int, newly: int) -> bool:
    """Return whether a clue is number 5 to a 5 off chop where stalling is allowed."""
    if (
        kind != RANK_CLUE
        or value != game.variant.stack_size
        or reading.verdict.on_chop
        or reading.told.level < 2
    ):
        return False
    focus = reading.verdict.focus
    number = game.identity[focus]
    if not newly >> focus & 1 or reading.look.severity == 0:
        return False
    return bool(number < 0 or last_ranks(game) >> number & 1)


@kernel
def _judge_save(game: Game, reading: Reading, giver: int, kind: int, value: int, number: int) -> bool:
    """Judge a clue to a chop as a save of `number`, and return whether it is one."""
    seen = (
        seen_copies(game, reading, giver, giver, reading.verdict.focus)
        if kind == RANK_CLUE and value == 2
        else 0
    )
    bit = 1 << number
    if not save_set(game, reading, kind, value, bit, seen):
        if seen & bit and number & 7 == 2:
            reading.verdict.why |= codes.UNSEEN_COPY_RULE
        return False
    if bit & last_ranks(game):
        reading.verdict.name = codes.FIVE_SAVE
    elif bit & reading.look.critical:
        reading.verdict.name = codes.CRITICAL_SAVE
    else:
        reading.verdict.name = codes.TWO_SAVE
    return True


@kernel
def _judge_play(game: Game, reading: Reading, giver: int, receiver: int, kind: int, number: int) -> bool:
    """Judge a clue as one that calls its focus, which is `number`, to be played."""
    focus = reading.verdict.focus
    by_rank = kind == RANK_CLUE
    bit = 1 << number
    if game.playable & bit:
        reading.verdict.name = codes.PLAY_CLUE
        return True
    if reading.look.hypo_playable & bit or reading.look.playing >> focus & 1:
        reading.verdict.name = codes.DELAYED_PLAY_CLUE
        return True
    if find_chain(game, reading, giver, receiver, focus, number, False, False):
        reading.verdict.name = chain_name(reading)
        return True
    failure = reading.verdict.chain.failure
    seat = (giver + 1) % game.seats
    target = bluff_card(game, reading, giver, receiver, focus, number, by_rank, False)
    if target >= 0 and seat != receiver:
        _call_bluff(game, reading, seat, target, codes.BLUFF)
        return True
    hidden = reading.look.hidden & ~reading.look.cards[giver] & ~reading.look.cards[receiver]
    if hidden and _judge_guess(game, reading, giver, receiver, by_rank, number):
        return True
    if _judge_by_others(game, reading, giver, receiver, number):
        return True
    if find_chain(game, reading, giver, receiver, focus, number, True, hidden != 0):
        reading.verdict.name = chain_name(reading)
        _weigh_own(game, reading, receiver)
        return True
    failure |= reading.verdict.chain.failure
    if target >= 0:
        _call_bluff(game, reading, seat, target, codes.SELF_BLUFF)
        _weigh_own(game, reading, receiver)
        return True
    reading.verdict.why |= failure
    return False


@kernel
def _weigh_own(game: Game, reading: Reading, receiver: int) -> None:
    """Refuse a call of the receiver's own cards where the focus may as well be playable by itself."""
    focus = reading.verdict.focus
    direct = reading.look.sees[focus] & reading.verdict.touch & reading.look.hypo_playable
    if direct & ~elsewhere(game, reading, receiver):
        reading.verdict.why |= codes.SIMPLER_READING
        reading.verdict.legal = 0


@kernel
def _judge_by_others(game: Game, reading: Reading, giver: int, receiver: int, number: int) -> bool:
    """Judge a clue by the giver's own cards that will play, whose identity only the others know."""
    own = reading.look.playing & reading.look.cards[giver]
    if own == 0:
        return False
    reading.verdict.givers_own = 1
    found = find_chain(game, reading, giver, receiver, reading.verdict.focus, number, False, False)
    reading.verdict.givers_own = 0
    if found:
        reading.verdict.name = chain_name(reading)
        reading.verdict.certainty = 50
        reading.verdict.why |= codes.GIVERS_CARD
    return found


@kernel
def _judge_guess(game: Game, reading: Reading, giver: int, receiver: int, by_rank: bool, number: int) -> bool:
    """Judge a clue as one that calls a card unknown to us."""
    focus = reading.verdict.focus
    target = bluff_card(game, reading, giver, receiver, focus, number, by_rank, True)
    if target >= 0 and game.place[target] == receiver:
        target = -1
    found = find_chain(game, reading, giver, receiver, focus, number, False, True)
    if not found and target < 0:
        return False
    reading.verdict.certainty = 50
    reading.verdict.why |= codes.HIDDEN_CARD
    if found:
        reading.verdict.name = chain_name(reading)
        if target < 0 or reading.verdict.chain.blind != 1 or reading.verdict.chain.steps[0].order != target:
            return True
        reading.verdict.second = reading.verdict.name
        reading.verdict.why |= codes.FINESSE_OR_BLUFF
    _call_bluff(game, reading, game.place[target], target, codes.BLUFF)
    return True


@kernel
def _call_bluff(game: Game, reading: Reading, seat: int, target: int, name: int) -> None:
    clear_chain(reading)
    push_step(reading, seat, target, codes.BLUFF_STEP, game.playable)
    reading.verdict.chain.blind = 1
    reading.verdict.name = name


@kernel
def judge_stall(game: Game, reading: Reading, receiver: int, newly: int) -> bool:
    """Judge a clue to new cards that neither saves nor calls anything, where stalling is allowed."""
    severity = reading.look.severity
    focus = reading.verdict.focus
    number = game.identity[focus]
    if number >= 0 and not reading.look.needed >> number & 1:
        # Trash touched to pass the turn.
        if reading.look.end_phase and reading.told.level >= 8:
            reading.verdict.name = codes.BURN
            return True
        if severity >= 2 and reading.told.level >= 9:
            reading.verdict.name = codes.HARD_BURN
            return True
        return False
    if severity == 3 and reading.verdict.on_chop and reading.told.level >= 9:
        reading.verdict.name = codes.LOCKED_HAND_SAVE
        return True
    if severity == 4 and newly and reading.told.level >= 9:
        slot_one = game.hands[receiver][game.hand_len[receiver] - 1]
        if focus != slot_one:
            reading.verdict.name = codes.EIGHT_CLUE_SAVE
            return True
    return False


@kernel
def judge_clue(
    game: Game,
    reading: Reading,
    giver: int,
    receiver: int,
    kind: int,
    value: int,
    touch: int,
    touched: int,
    stalls: bool,
) -> None:
    """Judge a clue that touches the cards `touched` and the identities `touch`; see the module.

    Without `stalls` only what a clue is worth by itself counts, not whether stalling is allowed.
    """
    clear_chain(reading)
    reading.verdict.name = codes.UNEXPLAINED
    reading.verdict.second = -1
    reading.verdict.certainty = 100
    reading.verdict.legal = 1
    reading.verdict.why = 0
    reading.verdict.moved = 0
    reading.verdict.readings = 0
    reading.verdict.bad = 0
    reading.verdict.worth = 0
    reading.verdict.on_chop = 0
    reading.verdict.focus = -1
    reading.verdict.wrong_seat = -1
    newly = touched & ~game.clued
    reading.verdict.newly = newly
    reading.verdict.touched = touched
    reading.verdict.touch = touch
    if touched == 0:
        reading.verdict.legal = 0
        reading.verdict.why = codes.NO_VALUE
        return
    focus = find_focus(game, reading, receiver, kind, value, touched)
    reading.verdict.focus = focus
    if focus == reading.look.chop[receiver] and newly >> focus & 1:
        reading.verdict.on_chop = 1
    level = reading.told.level
    if level >= 3 and judge_fix(game, reading, receiver, touch, touched):
        return
    if newly:
        _count_touch(game, reading, giver, receiver, newly)
        if level >= 4 and _judge_chop_move(game, reading, giver, receiver, kind, value, touch, newly):
            return
    elif judge_retouch(game, reading, giver, receiver, touch, touched):
        return
    number = game.identity[focus]
    if number < 0:
        _judge_unknown(game, reading, giver, receiver, kind, value, touch, newly)
        reading.verdict.worth += reading.verdict.chain.blind + reading.verdict.chain.layers
        return
    stall = stalls_with_five(game, reading, kind, value, newly) and not game.playable >> number & 1
    if stall and stalls and (reading.look.best == 0 or reading.look.may_be_left):
        reading.verdict.name = codes.FIVE_STALL
        return
    useful = reading.look.needed >> number & 1
    if (
        level >= 8
        and reading.look.end_phase
        and useful
        and _judge_distribution(game, reading, giver, receiver, newly, number)
    ):
        return
    if reading.verdict.on_chop and useful and _judge_save(game, reading, giver, kind, value, number):
        if game.playable >> number & 1:
            reading.verdict.second = codes.PLAY_CLUE
        return
    if useful and _judge_play(game, reading, giver, receiver, kind, number):
        reading.verdict.worth += reading.verdict.chain.blind + reading.verdict.chain.layers
        return
    if stall or (stalls and judge_stall(game, reading, receiver, newly)):
        reading.verdict.why &= ~(codes.NO_CHAIN | codes.WRONG_PROMPT)
        if stall:
            reading.verdict.name = codes.FIVE_STALL
        return
    clear_chain(reading)
    if newly == 0:
        why = reading.verdict.why
        judge_nothing_new(reading)
        if reading.verdict.name != codes.UNEXPLAINED:
            return
        reading.verdict.why |= why
    if not useful:
        reading.verdict.why |= codes.BAD_TOUCH
    reading.verdict.legal = 0
    if reading.verdict.why & codes.WRONG_PROMPT and reading.verdict.wrong_seat >= 0:
        # What the players will make of it: the wrong card is asked for.
        push_step(
            reading,
            reading.verdict.wrong_seat,
            reading.verdict.wrong_card,
            codes.PROMPT_STEP,
            1 << reading.verdict.wrong_identity,
        )


@kernel
def _judge_distribution(
    game: Game, reading: Reading, giver: int, receiver: int, newly: int, number: int
) -> bool:
    """Judge a playable copy of another player's card, touched late, as meant to share the plays."""
    focus = reading.verdict.focus
    if not newly >> focus & 1 or not reading.look.hypo_played >> number & 1:
        return False
    for seat in range(game.seats):
        if seat in (giver, receiver) or not reading.look.held[seat] >> number & 1:
            continue
        # Whoever has it has something else to do, too.
        useful = reading.look.gotten & reading.look.cards[seat] & ~reading.look.known_trash
        if not is_one(useful):
            reading.verdict.name = codes.DISTRIBUTION_CLUE
            reading.verdict.why &= ~codes.DUPLICATE
            return True
    return False


@kernel
def _judge_unknown(
    game: Game, reading: Reading, giver: int, receiver: int, kind: int, value: int, touch: int, newly: int
) -> None:
    """Judge a clue to a card that is unknown to us, by what its holder must allow for."""
    focus = reading.verdict.focus
    could_be = reading.look.sees[focus] & touch & reading.look.needed & ~reading.look.hypo_played
    if newly >> focus & 1:
        could_be &= ~elsewhere(game, reading, receiver)
    reading.verdict.certainty = 50
    reading.verdict.why |= codes.HIDDEN_CARD
    if reading.verdict.on_chop:
        seen = seen_copies(game, reading, giver, receiver, focus) if kind == RANK_CLUE and value == 2 else 0
        saves = save_set(game, reading, kind, value, could_be, seen)
        if saves:
            reading.verdict.readings = saves
            if saves & last_ranks(game):
                reading.verdict.name = codes.FIVE_SAVE
            elif saves & reading.look.critical:
                reading.verdict.name = codes.CRITICAL_SAVE
            else:
                reading.verdict.name = codes.TWO_SAVE
            return
    stall = stalls_with_five(game, reading, kind, value, newly)
    if stall and (reading.look.best == 0 or reading.look.may_be_left):
        reading.verdict.name = codes.FIVE_STALL
        return
    by_rank = kind == RANK_CLUE
    # The readings that others' hands explain, then the direct ones, then those of the own hand.
    rest = could_be & ~reading.look.hypo_playable
    while rest:
        number = lowest(rest)
        rest = drop_lowest(rest)
        if find_chain(game, reading, giver, receiver, focus, number, False, False):
            reading.verdict.name = chain_name(reading)
            return
        target = bluff_card(game, reading, giver, receiver, focus, number, by_rank, False)
        if target >= 0 and game.place[target] != receiver:
            _call_bluff(game, reading, game.place[target], target, codes.BLUFF)
            return
    clear_chain(reading)
    direct = could_be & reading.look.hypo_playable
    if direct:
        reading.verdict.name = codes.PLAY_CLUE if direct & game.playable else codes.DELAYED_PLAY_CLUE
        return
    rest = could_be
    while rest:
        if _judge_by_others(game, reading, giver, receiver, lowest(rest)):
            return
        rest = drop_lowest(rest)
    if _judge_own_unknown(game, reading, giver, receiver, could_be):
        return
    clear_chain(reading)
    if stall:
        reading.verdict.name = codes.FIVE_STALL
    else:
        reading.verdict.legal = 0


@kernel
def _own_steps(reading: Reading, receiver: int) -> int:
    """Return how far-fetched a chain is: its steps, those in the receiver's hand by far the most."""
    own = 0
    for step in range(reading.verdict.chain.length):
        own += reading.verdict.chain.steps[step].seat == receiver
    return int(own * MAX_STEPS + reading.verdict.chain.length)


@kernel
def _judge_own_unknown(game: Game, reading: Reading, giver: int, receiver: int, could_be: int) -> bool:
    """Judge a clue to an unknown card that only own cards explain: by the fewest own ones, then steps."""
    focus = reading.verdict.focus
    fewest = 8 * MAX_STEPS
    ids = 0
    kept = 0
    for attempt in range(2):
        rest = could_be
        while rest:
            number = lowest(rest)
            rest = drop_lowest(rest)
            if not find_chain(game, reading, giver, receiver, focus, number, True, True):
                continue
            if attempt == 0:
                fewest = min(fewest, _own_steps(reading, receiver))
            elif _own_steps(reading, receiver) == fewest and fewest > 0:
                ids |= reading.verdict.chain.steps[0].ids
                reading.verdict.name = chain_name(reading)
                if is_one(ids):
                    kept = number
    if ids == 0:
        return False
    find_chain(game, reading, giver, receiver, focus, kept, True, True)
    reading.verdict.chain.steps[0].ids = ids
    reading.verdict.name = chain_name(reading)
    return True
