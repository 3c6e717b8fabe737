"""How a clue's focus comes to be playable: prompts, finesses, layers.

In: a turn that `look` has looked at, giver, receiver, the focus and the identity that it has or may have.
Out: the steps of a chain in `v`, or the reason why there is none. The search is by hand order and identity
only, so that it can be run for every legal clue of a turn.
"""

from __future__ import annotations

from hanalyze.conventions import codes
from hanalyze.conventions import state as at
from hanalyze.conventions.hands import finesse_position
from hanalyze.engine.game import Game, Ints
from hanalyze.engine.stacks import fits_after, goes_under
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, is_one, lowest

__all__ = ["away", "bluff_card", "chain_name", "clear_chain", "find_chain", "prompted", "push_step"]


@kernel
def clear_chain(v: Ints) -> None:
    """Forget the chain that was found last."""
    for place in range(at.BLIND, at.FAILURE + 1):
        v[place] = 0
    v[at.STEPS] = 0


@kernel
def push_step(v: Ints, seat: int, order: int, kind: int, ids: int) -> None:
    """Add a step to the chain."""
    place = at.STEP + v[at.STEPS] * at.STEP_SIZE
    v[place + at.STEP_SEAT] = seat
    v[place + at.STEP_ORDER] = order
    v[place + at.STEP_KIND] = kind
    v[place + at.STEP_IDS] = ids
    v[at.STEPS] += 1


@kernel
def _under(game: Game, playable: int, number: int) -> int:
    """Return the playable identity from which a stack grows up to `number`, -1 if there is none."""
    for _ in range(6):
        if playable >> number & 1:
            return number
        number = goes_under(game, number)
        if number < 0:
            return -1
    return -1


@kernel
def away(game: Game, playable: int, number: int) -> int:
    """Return how many cards must be played before `number` can be, -1 if it cannot."""
    for steps in range(6):
        if playable >> number & 1:
            return steps
        number = goes_under(game, number)
        if number < 0:
            return -1
    return -1


@kernel
def prompted(game: Game, v: Ints, seat: int, number: int, used: int) -> int:
    """Return the clued card of a hand that its holder would take for `number` when asked, -1 if none.

    The one with most kinds of positive clues, then the newest. What is known to be something else, or is
    played anyhow, is not asked for.
    """
    best = -1
    most = 0
    cards = v[at.CARDS + seat] & game.clued & ~used
    if cards == 0:
        return -1
    for i in range(game.hand_len[seat] - 1, -1, -1):
        order = game.hands[seat][i]
        if not cards >> order & 1 or not game.possible[order] >> number & 1:
            continue
        sees = v[at.SEES + order]
        if not sees >> number & 1 and (is_one(sees) or v[at.PLAYING] >> order & 1):
            continue
        if v[at.KNOWN_TRASH] >> order & 1:
            continue
        clues = min(game.colour_clues[order], 1) + min(game.rank_clues[order], 1)
        if clues > most:
            most = clues
            best = order
    return int(best)


@kernel
def _is_reverse(game: Game, giver: int, receiver: int, seat: int) -> bool:
    seats = game.seats
    return bool((seat - giver) % seats > (receiver - giver) % seats)


@kernel
def _push_prompt(v: Ints, seat: int, order: int, number: int, receiver: int) -> None:
    push_step(v, seat, order, codes.PROMPT_STEP, 1 << number)
    v[at.PROMPTS] += 1
    if seat == receiver:
        v[at.OWN] = 1


@kernel
def _push_blind(game: Game, v: Ints, giver: int, receiver: int, seat: int, order: int, number: int) -> None:
    push_step(v, seat, order, codes.FINESSE_STEP, 1 << number)
    v[at.BLIND] += 1
    if seat == receiver:
        v[at.OWN] = 1
    elif _is_reverse(game, giver, receiver, seat):
        v[at.REVERSE] = 1


@kernel
def _on_seat(
    game: Game,
    v: Ints,
    giver: int,
    receiver: int,
    seat: int,
    number: int,
    used: int,
    playable: int,
    layers: bool,
) -> int:
    """Find the card of a hand that plays as `number`, behind playable cards with `layers`.

    Pushes the steps and returns what is playable after them; 0 if there is none, with no step pushed.
    """
    before = v[at.STEPS]
    asked = prompted(game, v, seat, number, used)
    hidden = False
    if asked >= 0:
        true = game.identity[asked]
        if true == number:
            if layers:
                return 0
            _push_prompt(v, seat, asked, number, receiver)
            return int(playable & ~(1 << number) | fits_after(game, number))
        if true < 0 or not layers or not playable >> true & 1:
            # What the holder plays anyhow is not asked for, yet it is taken for what is missing.
            if true >= 0 and not v[at.PLAYING] >> asked & 1:
                v[at.FAILURE] |= codes.WRONG_PROMPT
                v[at.WRONG_SEAT] = seat
                v[at.WRONG_CARD] = asked
                v[at.WRONG_IDENTITY] = number
            return 0
        hidden = True
        push_step(v, seat, asked, codes.HIDDEN_PROMPT_STEP, 1 << true)
        used |= 1 << asked
        playable = playable & ~(1 << true) | fits_after(game, true)
    depth = 0
    while before + depth < at.MAX_STEPS - 2:
        order = finesse_position(game, v, seat, used)
        if order < 0:
            break
        true = game.identity[order]
        if true == number:
            if hidden:
                v[at.HIDDEN_PROMPTS] += 1
            v[at.LAYERS] += depth
            _push_blind(game, v, giver, receiver, seat, order, number)
            return int(playable & ~(1 << number) | fits_after(game, number))
        if not layers or true < 0 or not playable >> true & 1:
            break
        push_step(v, seat, order, codes.LAYER_STEP, 1 << true)
        used |= 1 << order
        playable = playable & ~(1 << true) | fits_after(game, true)
        depth += 1
    v[at.STEPS] = before
    return 0


@kernel
def _guess(
    game: Game, v: Ints, giver: int, receiver: int, number: int, used: int, playable: int, own: bool
) -> int:
    """Take an unknown card for `number`: a clued one, or the newest free one behind playable ones.

    Pushes the steps and returns what is playable after them, 0 if there is none.
    """
    before = v[at.STEPS]
    for ahead in range(1, game.seats):
        seat = (giver + ahead) % game.seats
        if not v[at.HIDDEN] & v[at.CARDS + seat] or (seat == receiver and not own):
            continue
        order = prompted(game, v, seat, number, used)
        if order >= 0 and game.identity[order] < 0:
            _push_prompt(v, seat, order, number, receiver)
            v[at.GUESSED] = 1
            return int(playable & ~(1 << number) | fits_after(game, number))
        fits = playable
        passed = used
        while v[at.STEPS] < at.MAX_STEPS - 2:
            order = finesse_position(game, v, seat, passed)
            if order < 0:
                break
            true = game.identity[order]
            if true < 0 and v[at.SEES + order] >> number & 1:
                v[at.LAYERS] += v[at.STEPS] - before
                _push_blind(game, v, giver, receiver, seat, order, number)
                v[at.GUESSED] = 1
                return int(fits & ~(1 << number) | fits_after(game, number))
            if true < 0 or v[at.LEVEL] < 5 or not fits >> true & 1:
                break
            push_step(v, seat, order, codes.LAYER_STEP, 1 << true)
            fits = fits & ~(1 << true) | fits_after(game, true)
            passed |= 1 << order
        v[at.STEPS] = before
    return 0


@kernel
def _gotten_card(game: Game, v: Ints, giver: int, number: int, used: int, playable: int) -> bool:
    """Return whether a gotten card is `number`, or may be to all we know, and plays by itself."""
    rest = v[at.GOTTEN] & ~used & ~v[at.KNOWN_TRASH]
    while rest:
        order = lowest(rest)
        bit = 1 << order
        rest = drop_lowest(rest)
        sees = v[at.SEES + order]
        if v[at.TOUCHED] & bit:
            sees &= v[at.TOUCH]
        if sees >> number & 1 and sees & ~(playable | v[at.HYPO_PLAYED]) == 0:
            if game.place[order] == giver:
                if is_one(sees):
                    return True
                if v[at.GIVERS_OWN] and game.identity[order] == number:
                    return True
            elif game.identity[order] in (number, -1):
                return True
    return False


@kernel
def find_chain(
    game: Game, v: Ints, giver: int, receiver: int, focus: int, number: int, own: bool, guess: bool
) -> bool:
    """Find how `focus` comes to be playable as `number`, and return whether it does; the steps are in `v`.

    With `own` the receiver's own hand may hold what is missing; with `guess` a card unknown to us may.
    """
    clear_chain(v)
    level = v[at.LEVEL]
    playable = v[at.HYPO_PLAYABLE]
    used = 1 << focus | v[at.NEWLY]
    seats = game.seats
    for _ in range(at.MAX_STEPS):
        missing = _under(game, playable, number)
        if missing < 0:
            return False
        if missing == number:
            return True
        if v[at.STEPS] >= at.MAX_STEPS - 3:
            return False
        if _gotten_card(game, v, giver, missing, used, playable):
            playable = playable & ~(1 << missing) | fits_after(game, missing)
            continue
        first = v[at.STEPS]
        after = 0
        # Prompts and finesses of the others, then the same behind other playable cards, then the receiver's.
        for attempt in range(4):
            layers = attempt in (1, 3)
            if layers and level < 5:
                continue
            if attempt >= 2:
                if own and level >= 2:
                    after = _on_seat(game, v, giver, receiver, receiver, missing, used, playable, layers)
            else:
                for ahead in range(1, seats):
                    seat = (giver + ahead) % seats
                    if seat == receiver or after != 0:
                        continue
                    if layers and level >= 11 and ahead == 1 and v[at.STEPS] == 0:
                        # The next player takes a playable card that does not connect for a bluff.
                        continue
                    after = _on_seat(game, v, giver, receiver, seat, missing, used, playable, layers)
            if after != 0:
                break
        if after == 0 and guess:
            after = _guess(game, v, giver, receiver, missing, used, playable, own)
        if after == 0:
            v[at.FAILURE] |= codes.NO_CHAIN
            return False
        for step in range(first, v[at.STEPS]):
            used |= 1 << v[at.STEP + step * at.STEP_SIZE + at.STEP_ORDER]
        playable = after
        if level < 2 and (v[at.STEPS] > 1 or v[at.OWN] or v[at.REVERSE]):
            return False
    return False


@kernel
def chain_name(v: Ints) -> int:
    """Return the convention that the chain found last is."""
    if v[at.LAYERS]:
        return codes.LAYERED_FINESSE
    if v[at.HIDDEN_PROMPTS]:
        return codes.HIDDEN_FINESSE
    if v[at.BLIND] == 0:
        if v[at.PROMPTS] == 0:
            return codes.DELAYED_PLAY_CLUE
        return codes.SELF_PROMPT if v[at.OWN] else codes.PROMPT
    if v[at.PROMPTS]:
        return codes.PROMPT_FINESSE
    if v[at.BLIND] >= 2:
        return codes.DOUBLE_FINESSE
    if v[at.OWN]:
        return codes.SELF_FINESSE
    return codes.REVERSE_FINESSE if v[at.REVERSE] else codes.FINESSE


@kernel
def bluff_card(
    game: Game, v: Ints, giver: int, receiver: int, focus: int, number: int, by_rank: bool, guess: bool
) -> int:
    """Return the card that the next player would play as a bluff, -1 if the clue cannot be one.

    `number` is the identity of the focus. The next player's finesse position must be playable and something
    else than what is missing, which must be one card away (13 and up: or the focus any 3, or critical and
    touched by colour), and no clued card of that player may look like what is missing.
    """
    level = v[at.LEVEL]
    if level < 11 or v[at.END_PHASE]:
        return -1
    seat = (giver + 1) % game.seats
    if seat == receiver and not by_rank:
        return -1
    if v[at.FINESSED] & v[at.CARDS + seat]:
        return -1
    order = finesse_position(game, v, seat, 1 << focus)
    if order < 0:
        return -1
    true = game.identity[order]
    if true >= 0:
        if not game.playable >> true & 1:
            return -1
    elif not guess or v[at.SEES + order] & game.playable == 0:
        return -1
    playable = v[at.HYPO_PLAYABLE]
    missing = _under(game, playable, number)
    if missing < 0 or missing in (number, true):
        return -1
    # Cards that are clued already and known do not count as missing.
    steps = 0
    at_rank = missing
    while at_rank != number and steps < 6:
        if not _gotten_card(game, v, giver, at_rank, 1 << focus, playable) and not _is_clued_copy(
            game, v, giver, at_rank, focus
        ):
            steps += 1
        playable = playable & ~(1 << at_rank) | fits_after(game, at_rank)
        at_rank = _under(game, playable, number)
        if at_rank < 0:
            return -1
    far = steps > 1
    if far and level >= 13:
        far = not (number & 7 == 3 and steps <= 2) and not (
            not by_rank and v[at.CRITICAL] >> number & 1 and not game.clued >> focus & 1
        )
    if far or steps == 0:
        return -1
    if prompted(game, v, seat, missing, 1 << focus) >= 0:
        return -1
    return order


@kernel
def _is_clued_copy(game: Game, v: Ints, giver: int, number: int, focus: int) -> bool:
    """Return whether a clued card of another hand than the giver's is `number`."""
    for seat in range(game.seats):
        if seat != giver and v[at.HELD + seat] >> number & 1:
            cards = v[at.CARDS + seat] & v[at.GOTTEN] & ~(1 << focus)
            while cards:
                if game.identity[lowest(cards)] == number:
                    return True
                cards = drop_lowest(cards)
    return False
