"""How a clue's focus comes to be playable: prompts, finesses, layers.

In: a turn that `look` has looked at, giver, receiver, the focus and the identity that it has or may have.
Out: the steps of `verdict.chain`, or the reason why there is none. The search is by hand order and identity
only, so that it can be run for every legal clue of a turn.
"""

from __future__ import annotations

from hanalyze.conventions import codes
from hanalyze.conventions.hands import finesse_position
from hanalyze.conventions.reading import MAX_STEPS, Chain, Reading, Step
from hanalyze.engine.game import Game
from hanalyze.engine.stacks import fits_after, goes_under
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, is_one, lowest

__all__ = [
    "away",
    "bluff_card",
    "chain_name",
    "clear_chain",
    "copy_chain",
    "copy_step",
    "find_chain",
    "prompted",
    "push_step",
]


@kernel
def clear_chain(reading: Reading) -> None:
    """Forget the chain that was found last."""
    chain = reading.verdict.chain
    chain.length = 0
    chain.blind = 0
    chain.prompts = 0
    chain.layers = 0
    chain.hidden_prompts = 0
    chain.own = 0
    chain.reverse = 0
    chain.guessed = 0
    chain.failure = 0


@kernel
def copy_step(source: Step, target: Step) -> None:
    """Make a step like another."""
    target.seat = source.seat
    target.order = source.order
    target.kind = source.kind
    target.ids = source.ids


@kernel
def copy_chain(source: Chain, target: Chain) -> None:
    """Make a chain like another."""
    target.length = source.length
    target.blind = source.blind
    target.prompts = source.prompts
    target.layers = source.layers
    target.hidden_prompts = source.hidden_prompts
    target.own = source.own
    target.reverse = source.reverse
    target.guessed = source.guessed
    target.failure = source.failure
    for step in range(MAX_STEPS):
        copy_step(source.steps[step], target.steps[step])


@kernel
def push_step(reading: Reading, seat: int, order: int, kind: int, ids: int) -> None:
    """Add a step to the chain."""
    place = reading.verdict.chain.steps[reading.verdict.chain.length]
    place.seat = seat
    place.order = order
    place.kind = kind
    place.ids = ids
    reading.verdict.chain.length += 1


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
def prompted(game: Game, reading: Reading, seat: int, number: int, used: int) -> int:
    """Return the clued card of a hand that its holder would take for `number` when asked, -1 if none.

    The one with most kinds of positive clues, then the newest. What is known to be something else, or is
    played anyhow, is not asked for.
    """
    best = -1
    most = 0
    cards = reading.look.cards[seat] & game.clued & ~used
    if cards == 0:
        return -1
    for i in range(game.hand_len[seat] - 1, -1, -1):
        order = game.hands[seat][i]
        if not cards >> order & 1 or not game.possible[order] >> number & 1:
            continue
        sees = reading.look.sees[order]
        if not sees >> number & 1 and (is_one(sees) or reading.look.playing >> order & 1):
            continue
        if reading.look.known_trash >> order & 1:
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
def _push_prompt(reading: Reading, seat: int, order: int, number: int, receiver: int) -> None:
    push_step(reading, seat, order, codes.PROMPT_STEP, 1 << number)
    reading.verdict.chain.prompts += 1
    if seat == receiver:
        reading.verdict.chain.own = 1


@kernel
def _push_blind(
    game: Game, reading: Reading, giver: int, receiver: int, seat: int, order: int, number: int
) -> None:
    push_step(reading, seat, order, codes.FINESSE_STEP, 1 << number)
    reading.verdict.chain.blind += 1
    if seat == receiver:
        reading.verdict.chain.own = 1
    elif _is_reverse(game, giver, receiver, seat):
        reading.verdict.chain.reverse = 1


@kernel
def _on_seat(
    game: Game,
    reading: Reading,
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
    before = reading.verdict.chain.length
    asked = prompted(game, reading, seat, number, used)
    hidden = False
    if asked >= 0:
        true = game.identity[asked]
        if true == number:
            if layers:
                return 0
            _push_prompt(reading, seat, asked, number, receiver)
            return int(playable & ~(1 << number) | fits_after(game, number))
        if true < 0 or not layers or not playable >> true & 1:
            # What the holder plays anyhow is not asked for, yet it is taken for what is missing.
            if true >= 0 and not reading.look.playing >> asked & 1:
                reading.verdict.chain.failure |= codes.WRONG_PROMPT
                reading.verdict.wrong_seat = seat
                reading.verdict.wrong_card = asked
                reading.verdict.wrong_identity = number
            return 0
        hidden = True
        push_step(reading, seat, asked, codes.HIDDEN_PROMPT_STEP, 1 << true)
        used |= 1 << asked
        playable = playable & ~(1 << true) | fits_after(game, true)
    depth = 0
    while before + depth < MAX_STEPS - 2:
        order = finesse_position(game, reading, seat, used)
        if order < 0:
            break
        true = game.identity[order]
        if true == number:
            if hidden:
                reading.verdict.chain.hidden_prompts += 1
            reading.verdict.chain.layers += depth
            _push_blind(game, reading, giver, receiver, seat, order, number)
            return int(playable & ~(1 << number) | fits_after(game, number))
        if not layers or true < 0 or not playable >> true & 1:
            break
        push_step(reading, seat, order, codes.LAYER_STEP, 1 << true)
        used |= 1 << order
        playable = playable & ~(1 << true) | fits_after(game, true)
        depth += 1
    reading.verdict.chain.length = before
    return 0


@kernel
def _guess(
    game: Game, reading: Reading, giver: int, receiver: int, number: int, used: int, playable: int, own: bool
) -> int:
    """Take an unknown card for `number`: a clued one, or the newest free one behind playable ones.

    Pushes the steps and returns what is playable after them, 0 if there is none.
    """
    before = reading.verdict.chain.length
    for ahead in range(1, game.seats):
        seat = (giver + ahead) % game.seats
        if not reading.look.hidden & reading.look.cards[seat] or (seat == receiver and not own):
            continue
        order = prompted(game, reading, seat, number, used)
        if order >= 0 and game.identity[order] < 0:
            _push_prompt(reading, seat, order, number, receiver)
            reading.verdict.chain.guessed = 1
            return int(playable & ~(1 << number) | fits_after(game, number))
        fits = playable
        passed = used
        while reading.verdict.chain.length < MAX_STEPS - 2:
            order = finesse_position(game, reading, seat, passed)
            if order < 0:
                break
            true = game.identity[order]
            if true < 0 and reading.look.sees[order] >> number & 1:
                reading.verdict.chain.layers += reading.verdict.chain.length - before
                _push_blind(game, reading, giver, receiver, seat, order, number)
                reading.verdict.chain.guessed = 1
                return int(fits & ~(1 << number) | fits_after(game, number))
            if true < 0 or reading.told.level < 5 or not fits >> true & 1:
                break
            push_step(reading, seat, order, codes.LAYER_STEP, 1 << true)
            fits = fits & ~(1 << true) | fits_after(game, true)
            passed |= 1 << order
        reading.verdict.chain.length = before
    return 0


@kernel
def _gotten_card(game: Game, reading: Reading, giver: int, number: int, used: int, playable: int) -> bool:
    """Return whether a gotten card is `number`, or may be to all we know, and plays by itself."""
    rest = reading.look.gotten & ~used & ~reading.look.known_trash
    while rest:
        order = lowest(rest)
        bit = 1 << order
        rest = drop_lowest(rest)
        sees = reading.look.sees[order]
        if reading.verdict.touched & bit:
            sees &= reading.verdict.touch
        if sees >> number & 1 and sees & ~(playable | reading.look.hypo_played) == 0:
            if game.place[order] == giver:
                if is_one(sees):
                    return True
                if reading.verdict.givers_own and game.identity[order] == number:
                    return True
            elif game.identity[order] in (number, -1):
                return True
    return False


@kernel
def find_chain(
    game: Game, reading: Reading, giver: int, receiver: int, focus: int, number: int, own: bool, guess: bool
) -> bool:
    """Find how `focus` comes to be playable as `number`, and return whether it does; the chain has the steps.

    With `own` the receiver's own hand may hold what is missing; with `guess` a card unknown to us may.
    """
    clear_chain(reading)
    level = reading.told.level
    playable = reading.look.hypo_playable
    used = 1 << focus | reading.verdict.newly
    seats = game.seats
    for _ in range(MAX_STEPS):
        missing = _under(game, playable, number)
        if missing < 0:
            return False
        if missing == number:
            return True
        if reading.verdict.chain.length >= MAX_STEPS - 3:
            return False
        if _gotten_card(game, reading, giver, missing, used, playable):
            playable = playable & ~(1 << missing) | fits_after(game, missing)
            continue
        first = reading.verdict.chain.length
        after = 0
        # Prompts and finesses of the others, then the same behind other playable cards, then the receiver's.
        for attempt in range(4):
            layers = attempt in (1, 3)
            if layers and level < 5:
                continue
            if attempt >= 2:
                if own and level >= 2:
                    after = _on_seat(
                        game, reading, giver, receiver, receiver, missing, used, playable, layers
                    )
            else:
                for ahead in range(1, seats):
                    seat = (giver + ahead) % seats
                    if seat == receiver or after != 0:
                        continue
                    if layers and level >= 11 and ahead == 1 and reading.verdict.chain.length == 0:
                        # The next player takes a playable card that does not connect for a bluff.
                        continue
                    after = _on_seat(game, reading, giver, receiver, seat, missing, used, playable, layers)
            if after != 0:
                break
        if after == 0 and guess:
            after = _guess(game, reading, giver, receiver, missing, used, playable, own)
        if after == 0:
            reading.verdict.chain.failure |= codes.NO_CHAIN
            return False
        for step in range(first, reading.verdict.chain.length):
            used |= 1 << reading.verdict.chain.steps[step].order
        playable = after
        if level < 2 and (
            reading.verdict.chain.length > 1 or reading.verdict.chain.own or reading.verdict.chain.reverse
        ):
            return False
    return False


@kernel
def chain_name(reading: Reading) -> int:
    """Return the convention that the chain found last is."""
    if reading.verdict.chain.layers:
        return codes.LAYERED_FINESSE
    if reading.verdict.chain.hidden_prompts:
        return codes.HIDDEN_FINESSE
    if reading.verdict.chain.blind == 0:
        if reading.verdict.chain.prompts == 0:
            return codes.DELAYED_PLAY_CLUE
        return codes.SELF_PROMPT if reading.verdict.chain.own else codes.PROMPT
    if reading.verdict.chain.prompts:
        return codes.PROMPT_FINESSE
    if reading.verdict.chain.blind >= 2:
        return codes.DOUBLE_FINESSE
    if reading.verdict.chain.own:
        return codes.SELF_FINESSE
    return codes.REVERSE_FINESSE if reading.verdict.chain.reverse else codes.FINESSE


@kernel
def bluff_card(
    game: Game,
    reading: Reading,
    giver: int,
    receiver: int,
    focus: int,
    number: int,
    by_rank: bool,
    guess: bool,
) -> int:
    """Return the card that the next player would play as a bluff, -1 if the clue cannot be one.

    `number` is the identity of the focus. The next player's finesse position must be playable and something
    else than what is missing, which must be one card away (13 and up: or the focus any 3, or critical and
    touched by colour), and no clued card of that player may look like what is missing.
    """
    level = reading.told.level
    if level < 11 or reading.look.end_phase:
        return -1
    seat = (giver + 1) % game.seats
    if seat == receiver and not by_rank:
        return -1
    if reading.told.finessed & reading.look.cards[seat]:
        return -1
    order = finesse_position(game, reading, seat, 1 << focus)
    if order < 0:
        return -1
    true = game.identity[order]
    if true >= 0:
        if not game.playable >> true & 1:
            return -1
    elif not guess or reading.look.sees[order] & game.playable == 0:
        return -1
    playable = reading.look.hypo_playable
    missing = _under(game, playable, number)
    if missing < 0 or missing in (number, true):
        return -1
    # Cards that are clued already and known do not count as missing.
    steps = 0
    at_rank = missing
    while at_rank != number and steps < 6:
        if not _gotten_card(game, reading, giver, at_rank, 1 << focus, playable) and not _is_clued_copy(
            game, reading, giver, at_rank, focus
        ):
            steps += 1
        playable = playable & ~(1 << at_rank) | fits_after(game, at_rank)
        at_rank = _under(game, playable, number)
        if at_rank < 0:
            return -1
    far = steps > 1
    if far and level >= 13:
        far = not (number & 7 == 3 and steps <= 2) and not (
            not by_rank and reading.look.critical >> number & 1 and not game.clued >> focus & 1
        )
    if far or steps == 0:
        return -1
    if prompted(game, reading, seat, missing, 1 << focus) >= 0:
        return -1
    return order


@kernel
def _is_clued_copy(game: Game, reading: Reading, giver: int, number: int, focus: int) -> bool:
    """Return whether a clued card of another hand than the giver's is `number`."""
    for seat in range(game.seats):
        if seat != giver and reading.look.held[seat] >> number & 1:
            cards = reading.look.cards[seat] & reading.look.gotten & ~(1 << focus)
            while cards:
                if game.identity[lowest(cards)] == number:
                    return True
                cards = drop_lowest(cards)
    return False
