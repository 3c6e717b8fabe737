"""What one clue of a turn would mean: the same for a clue that was given and for one that could be.

In: a turn that `look` has looked at, giver, receiver, clue and touched cards. Out: the places of `v` from
`MAIN` on: the convention, its focus, the chain of steps that it calls for, the cards that it chop moves, its
worth and what speaks against it. The giver's view decides: all cards but those of the own hand.
"""

from __future__ import annotations

from hanalyze.conventions import codes
from hanalyze.conventions import state as at
from hanalyze.conventions.chains import bluff_card, chain_name, clear_chain, find_chain, push_step
from hanalyze.conventions.focus import find_focus, last_ranks, save_set, seen_copies
from hanalyze.conventions.hands import elsewhere, oldest, useful_cards
from hanalyze.conventions.retouch import judge_fix, judge_nothing_new, judge_retouch
from hanalyze.engine.game import Game, Ints
from hanalyze.engine.step import RANK_CLUE
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, is_one, lowest, popcount

__all__ = ["cards_behind", "elsewhere", "judge_clue", "judge_stall", "stalls_with_five"]


@kernel
def _count_touch(game: Game, v: Ints, giver: int, receiver: int, newly: int) -> None:
    """Count the newly touched cards that are useful, and those that break good touch."""
    held = elsewhere(game, v, giver)
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
        elif not v[at.NEEDED] >> number & 1:
            bad += 1
            trash = 1
        elif held >> number & 1:
            if not v[at.GOTTEN] >> order & 1:
                bad += 1
            else:
                good += 1
        else:
            held |= 1 << number
            good += 1
    v[at.BAD] = bad
    v[at.WORTH] = good
    if bad:
        v[at.WHY] |= codes.BAD_TOUCH if trash else codes.DUPLICATE


@kernel
def cards_behind(game: Game, v: Ints, receiver: int, order: int) -> int:
    """Return the cards of a hand that are older than `order` and free to be discarded."""
    behind = 0
    for i in range(game.hand_len[receiver]):
        card = game.hands[receiver][i]
        if card == order:
            break
        behind |= 1 << card
    return int(behind & ~v[at.GOTTEN] & ~v[at.CHOP_MOVED])


@kernel
def _judge_chop_move(
    game: Game, v: Ints, giver: int, receiver: int, kind: int, value: int, touch: int, newly: int
) -> bool:
    """Judge clues that move a chop by what they touch, and return whether this is one."""
    focus = v[at.FOCUS]
    right = oldest(game, receiver, newly)
    could_be = game.possible[focus] & touch & v[at.NEEDED] & ~v[at.HYPO_PLAYED]
    if v[at.ON_CHOP] and could_be == 0 and v[at.LEVEL] >= 14:
        return _judge_push(game, v, receiver)
    if v[at.ON_CHOP] == 0 and could_be == 0 and newly >> focus & 1:
        moved = cards_behind(game, v, receiver, right)
        if moved and not v[at.END_PHASE]:
            v[at.MAIN] = codes.TRASH_CHOP_MOVE
            v[at.MOVED] = moved
            v[at.WORTH] = useful_cards(game, v, giver, moved)
            v[at.BAD] = 0
            v[at.WHY] &= ~(codes.BAD_TOUCH | codes.DUPLICATE)
            return True
        return False
    if kind == RANK_CLUE and value == game.variant.stack_size and newly and v[at.ON_CHOP] == 0:
        number = game.identity[focus]
        if number >= 0 and not last_ranks(game) >> number & 1:
            return False
        behind = cards_behind(game, v, receiver, right)
        severity = v[at.SEVERITY]
        if severity == 0 and popcount(behind) == 1 and not v[at.END_PHASE]:
            chop = v[at.CHOP + receiver]
            if v[at.SEES + chop] & v[at.NEEDED]:
                v[at.MAIN] = codes.FIVE_CHOP_MOVE
                v[at.MOVED] = behind
                v[at.WORTH] += useful_cards(game, v, giver, behind)
                return True
    return False


@kernel
def _judge_push(game: Game, v: Ints, receiver: int) -> bool:
    """Judge known trash on the chop as a call of the card that is the chop then."""
    free = v[at.CARDS + receiver] & ~v[at.GOTTEN] & ~v[at.CHOP_MOVED] & ~v[at.TOUCHED]
    pushed = oldest(game, receiver, free)
    if pushed < 0 or v[at.END_PHASE]:
        return False
    number = game.identity[pushed]
    if number >= 0 and not game.playable >> number & 1:
        return False
    v[at.MAIN] = codes.TRASH_PUSH
    push_step(v, receiver, pushed, codes.FINESSE_STEP, game.playable)
    v[at.BLIND] = 1
    v[at.WORTH] = 1
    v[at.BAD] = 0
    v[at.WHY] &= ~(codes.BAD_TOUCH | codes.DUPLICATE)
    return True


@kernel
def stalls_with_five(game: Game, v: Ints, kind: int, value: int, newly: int) -> bool:
    """Return whether a clue is number 5 to a 5 off chop where stalling is allowed."""
    if kind != RANK_CLUE or value != game.variant.stack_size or v[at.ON_CHOP] or v[at.LEVEL] < 2:
        return False
    focus = v[at.FOCUS]
    number = game.identity[focus]
    if not newly >> focus & 1 or v[at.SEVERITY] == 0:
        return False
    return bool(number < 0 or last_ranks(game) >> number & 1)


@kernel
def _judge_save(game: Game, v: Ints, giver: int, kind: int, value: int, number: int) -> bool:
    """Judge a clue to a chop as a save of `number`, and return whether it is one."""
    seen = seen_copies(game, v, giver, giver, v[at.FOCUS]) if kind == RANK_CLUE and value == 2 else 0
    bit = 1 << number
    if not save_set(game, v, kind, value, bit, seen):
        if seen & bit and number & 7 == 2:
            v[at.WHY] |= codes.UNSEEN_COPY_RULE
        return False
    if bit & last_ranks(game):
        v[at.MAIN] = codes.FIVE_SAVE
    elif bit & v[at.CRITICAL]:
        v[at.MAIN] = codes.CRITICAL_SAVE
    else:
        v[at.MAIN] = codes.TWO_SAVE
    return True


@kernel
def _judge_play(game: Game, v: Ints, giver: int, receiver: int, kind: int, number: int) -> bool:
    """Judge a clue as one that calls its focus, which is `number`, to be played."""
    focus = v[at.FOCUS]
    by_rank = kind == RANK_CLUE
    bit = 1 << number
    if game.playable & bit:
        v[at.MAIN] = codes.PLAY_CLUE
        return True
    if v[at.HYPO_PLAYABLE] & bit or v[at.PLAYING] >> focus & 1:
        v[at.MAIN] = codes.DELAYED_PLAY_CLUE
        return True
    if find_chain(game, v, giver, receiver, focus, number, False, False):
        v[at.MAIN] = chain_name(v)
        return True
    failure = v[at.FAILURE]
    seat = (giver + 1) % game.seats
    target = bluff_card(game, v, giver, receiver, focus, number, by_rank, False)
    if target >= 0 and seat != receiver:
        _call_bluff(game, v, seat, target, codes.BLUFF)
        return True
    hidden = v[at.HIDDEN] & ~v[at.CARDS + giver] & ~v[at.CARDS + receiver]
    if hidden and _judge_guess(game, v, giver, receiver, by_rank, number):
        return True
    if _judge_by_others(game, v, giver, receiver, number):
        return True
    if find_chain(game, v, giver, receiver, focus, number, True, hidden != 0):
        v[at.MAIN] = chain_name(v)
        _weigh_own(game, v, receiver)
        return True
    failure |= v[at.FAILURE]
    if target >= 0:
        _call_bluff(game, v, seat, target, codes.SELF_BLUFF)
        _weigh_own(game, v, receiver)
        return True
    v[at.WHY] |= failure
    return False


@kernel
def _weigh_own(game: Game, v: Ints, receiver: int) -> None:
    """Refuse a call of the receiver's own cards where the focus may as well be playable by itself."""
    focus = v[at.FOCUS]
    direct = v[at.SEES + focus] & v[at.TOUCH] & v[at.HYPO_PLAYABLE]
    if direct & ~elsewhere(game, v, receiver):
        v[at.WHY] |= codes.SIMPLER_READING
        v[at.LEGAL] = 0


@kernel
def _judge_by_others(game: Game, v: Ints, giver: int, receiver: int, number: int) -> bool:
    """Judge a clue by the giver's own cards that will play, whose identity only the others know."""
    own = v[at.PLAYING] & v[at.CARDS + giver]
    if own == 0:
        return False
    v[at.GIVERS_OWN] = 1
    found = find_chain(game, v, giver, receiver, v[at.FOCUS], number, False, False)
    v[at.GIVERS_OWN] = 0
    if found:
        v[at.MAIN] = chain_name(v)
        v[at.CERTAINTY] = 50
        v[at.WHY] |= codes.GIVERS_CARD
    return found


@kernel
def _judge_guess(game: Game, v: Ints, giver: int, receiver: int, by_rank: bool, number: int) -> bool:
    """Judge a clue as one that calls a card unknown to us."""
    focus = v[at.FOCUS]
    target = bluff_card(game, v, giver, receiver, focus, number, by_rank, True)
    if target >= 0 and game.place[target] == receiver:
        target = -1
    found = find_chain(game, v, giver, receiver, focus, number, False, True)
    if not found and target < 0:
        return False
    v[at.CERTAINTY] = 50
    v[at.WHY] |= codes.HIDDEN_CARD
    if found:
        v[at.MAIN] = chain_name(v)
        if target < 0 or v[at.BLIND] != 1 or v[at.STEP + at.STEP_ORDER] != target:
            return True
        v[at.SECOND] = v[at.MAIN]
        v[at.WHY] |= codes.FINESSE_OR_BLUFF
    _call_bluff(game, v, game.place[target], target, codes.BLUFF)
    return True


@kernel
def _call_bluff(game: Game, v: Ints, seat: int, target: int, name: int) -> None:
    clear_chain(v)
    push_step(v, seat, target, codes.BLUFF_STEP, game.playable)
    v[at.BLIND] = 1
    v[at.MAIN] = name


@kernel
def judge_stall(game: Game, v: Ints, receiver: int, newly: int) -> bool:
    """Judge a clue to new cards that neither saves nor calls anything, where stalling is allowed."""
    severity = v[at.SEVERITY]
    focus = v[at.FOCUS]
    number = game.identity[focus]
    if number >= 0 and not v[at.NEEDED] >> number & 1:
        # Trash touched to pass the turn.
        if v[at.END_PHASE] and v[at.LEVEL] >= 8:
            v[at.MAIN] = codes.BURN
            return True
        if severity >= 2 and v[at.LEVEL] >= 9:
            v[at.MAIN] = codes.HARD_BURN
            return True
        return False
    if severity == 3 and v[at.ON_CHOP] and v[at.LEVEL] >= 9:
        v[at.MAIN] = codes.LOCKED_HAND_SAVE
        return True
    if severity == 4 and newly and v[at.LEVEL] >= 9:
        slot_one = game.hands[receiver][game.hand_len[receiver] - 1]
        if focus != slot_one:
            v[at.MAIN] = codes.EIGHT_CLUE_SAVE
            return True
    return False


@kernel
def judge_clue(
    game: Game,
    v: Ints,
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
    clear_chain(v)
    v[at.MAIN] = codes.UNEXPLAINED
    v[at.SECOND] = -1
    v[at.CERTAINTY] = 100
    v[at.LEGAL] = 1
    v[at.WHY] = 0
    v[at.MOVED] = 0
    v[at.READINGS] = 0
    v[at.BAD] = 0
    v[at.WORTH] = 0
    v[at.ON_CHOP] = 0
    v[at.FOCUS] = -1
    v[at.WRONG_SEAT] = -1
    newly = touched & ~game.clued
    v[at.NEWLY] = newly
    v[at.TOUCHED] = touched
    v[at.TOUCH] = touch
    if touched == 0:
        v[at.LEGAL] = 0
        v[at.WHY] = codes.NO_VALUE
        return
    focus = find_focus(game, v, receiver, kind, value, touched)
    v[at.FOCUS] = focus
    if focus == v[at.CHOP + receiver] and newly >> focus & 1:
        v[at.ON_CHOP] = 1
    level = v[at.LEVEL]
    if level >= 3 and judge_fix(game, v, receiver, touch, touched):
        return
    if newly:
        _count_touch(game, v, giver, receiver, newly)
        if level >= 4 and _judge_chop_move(game, v, giver, receiver, kind, value, touch, newly):
            return
    elif judge_retouch(game, v, giver, receiver, touch, touched):
        return
    number = game.identity[focus]
    if number < 0:
        _judge_unknown(game, v, giver, receiver, kind, value, touch, newly)
        v[at.WORTH] += v[at.BLIND] + v[at.LAYERS]
        return
    stall = stalls_with_five(game, v, kind, value, newly) and not game.playable >> number & 1
    if stall and stalls and (v[at.BEST] == 0 or v[at.MAY_BE_LEFT]):
        v[at.MAIN] = codes.FIVE_STALL
        return
    useful = v[at.NEEDED] >> number & 1
    if (
        level >= 8
        and v[at.END_PHASE]
        and useful
        and _judge_distribution(game, v, giver, receiver, newly, number)
    ):
        return
    if v[at.ON_CHOP] and useful and _judge_save(game, v, giver, kind, value, number):
        if game.playable >> number & 1:
            v[at.SECOND] = codes.PLAY_CLUE
        return
    if useful and _judge_play(game, v, giver, receiver, kind, number):
        v[at.WORTH] += v[at.BLIND] + v[at.LAYERS]
        return
    if stall or (stalls and judge_stall(game, v, receiver, newly)):
        v[at.WHY] &= ~(codes.NO_CHAIN | codes.WRONG_PROMPT)
        if stall:
            v[at.MAIN] = codes.FIVE_STALL
        return
    clear_chain(v)
    if newly == 0:
        why = v[at.WHY]
        judge_nothing_new(v)
        if v[at.MAIN] != codes.UNEXPLAINED:
            return
        v[at.WHY] |= why
    if not useful:
        v[at.WHY] |= codes.BAD_TOUCH
    v[at.LEGAL] = 0
    if v[at.WHY] & codes.WRONG_PROMPT and v[at.WRONG_SEAT] >= 0:
        # What the players will make of it: the wrong card is asked for.
        push_step(v, v[at.WRONG_SEAT], v[at.WRONG_CARD], codes.PROMPT_STEP, 1 << v[at.WRONG_IDENTITY])


@kernel
def _judge_distribution(game: Game, v: Ints, giver: int, receiver: int, newly: int, number: int) -> bool:
    """Judge a playable copy of another player's card, touched late, as meant to share the plays."""
    focus = v[at.FOCUS]
    if not newly >> focus & 1 or not v[at.HYPO_PLAYED] >> number & 1:
        return False
    for seat in range(game.seats):
        if seat in (giver, receiver) or not v[at.HELD + seat] >> number & 1:
            continue
        # Whoever has it has something else to do, too.
        useful = v[at.GOTTEN] & v[at.CARDS + seat] & ~v[at.KNOWN_TRASH]
        if not is_one(useful):
            v[at.MAIN] = codes.DISTRIBUTION_CLUE
            v[at.WHY] &= ~codes.DUPLICATE
            return True
    return False


@kernel
def _judge_unknown(
    game: Game, v: Ints, giver: int, receiver: int, kind: int, value: int, touch: int, newly: int
) -> None:
    """Judge a clue to a card that is unknown to us, by what its holder must allow for."""
    focus = v[at.FOCUS]
    could_be = v[at.SEES + focus] & touch & v[at.NEEDED] & ~v[at.HYPO_PLAYED]
    if newly >> focus & 1:
        could_be &= ~elsewhere(game, v, receiver)
    v[at.CERTAINTY] = 50
    v[at.WHY] |= codes.HIDDEN_CARD
    if v[at.ON_CHOP]:
        seen = seen_copies(game, v, giver, receiver, focus) if kind == RANK_CLUE and value == 2 else 0
        saves = save_set(game, v, kind, value, could_be, seen)
        if saves:
            v[at.READINGS] = saves
            if saves & last_ranks(game):
                v[at.MAIN] = codes.FIVE_SAVE
            elif saves & v[at.CRITICAL]:
                v[at.MAIN] = codes.CRITICAL_SAVE
            else:
                v[at.MAIN] = codes.TWO_SAVE
            return
    stall = stalls_with_five(game, v, kind, value, newly)
    if stall and (v[at.BEST] == 0 or v[at.MAY_BE_LEFT]):
        v[at.MAIN] = codes.FIVE_STALL
        return
    by_rank = kind == RANK_CLUE
    # The readings that others' hands explain, then the direct ones, then those of the own hand.
    rest = could_be & ~v[at.HYPO_PLAYABLE]
    while rest:
        number = lowest(rest)
        rest = drop_lowest(rest)
        if find_chain(game, v, giver, receiver, focus, number, False, False):
            v[at.MAIN] = chain_name(v)
            return
        target = bluff_card(game, v, giver, receiver, focus, number, by_rank, False)
        if target >= 0 and game.place[target] != receiver:
            _call_bluff(game, v, game.place[target], target, codes.BLUFF)
            return
    clear_chain(v)
    direct = could_be & v[at.HYPO_PLAYABLE]
    if direct:
        v[at.MAIN] = codes.PLAY_CLUE if direct & game.playable else codes.DELAYED_PLAY_CLUE
        return
    rest = could_be
    while rest:
        if _judge_by_others(game, v, giver, receiver, lowest(rest)):
            return
        rest = drop_lowest(rest)
    if _judge_own_unknown(game, v, giver, receiver, could_be):
        return
    clear_chain(v)
    if stall:
        v[at.MAIN] = codes.FIVE_STALL
    else:
        v[at.LEGAL] = 0


@kernel
def _own_steps(v: Ints, receiver: int) -> int:
    """Return how far-fetched a chain is: its steps, those in the receiver's hand by far the most."""
    own = 0
    for step in range(v[at.STEPS]):
        own += v[at.STEP + step * at.STEP_SIZE + at.STEP_SEAT] == receiver
    return int(own * at.MAX_STEPS + v[at.STEPS])


@kernel
def _judge_own_unknown(game: Game, v: Ints, giver: int, receiver: int, could_be: int) -> bool:
    """Judge a clue to an unknown card that only own cards explain: by the fewest own ones, then steps."""
    focus = v[at.FOCUS]
    fewest = 8 * at.MAX_STEPS
    ids = 0
    for attempt in range(2):
        rest = could_be
        while rest:
            number = lowest(rest)
            rest = drop_lowest(rest)
            if not find_chain(game, v, giver, receiver, focus, number, True, True):
                continue
            if attempt == 0:
                fewest = min(fewest, _own_steps(v, receiver))
            elif _own_steps(v, receiver) == fewest and fewest > 0:
                ids |= v[at.STEP + at.STEP_IDS]
                v[at.MAIN] = chain_name(v)
                if is_one(ids):
                    v[at.KEEP] = number
    if ids == 0:
        return False
    find_chain(game, v, giver, receiver, focus, v[at.KEEP], True, True)
    v[at.STEP + at.STEP_IDS] = ids
    v[at.MAIN] = chain_name(v)
    return True
