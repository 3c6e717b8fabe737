"""Notes that the copy of a discarded card is in the same hand, and clues that single it out there.

In: a discard that was judged, and later clues and cards that leave hands. Out: by seat, the cards one of
which is the copy (`Told.noted`), and the card that a clue is about because it alone is left of them.

Who lets a useful card on chop be discarded, though a clue could have been given, sees another copy. Where the
player who discards it sees none in the other hands, it is in the own hand.
"""

from __future__ import annotations

from hanalyze.conventions.bad_touch import implied_copy, misses_copy
from hanalyze.conventions.common_knowledge import note_source
from hanalyze.conventions.state import Reading, is_undefined
from hanalyze.conventions.verdict import add_meaning, decide, keep_readings, refuse
from hanalyze.engine.game import Game
from hanalyze.game.meanings import Convention, Reason
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, is_one, lowest


@kernel
def note_passing(game: Game, reading: Reading) -> None:
    """Remember whether the player to move, who gives no clue, could have given one."""
    answers = reading.verdict.name == Convention.BLIND_PLAY
    reading.told.passed = 1 if game.tokens >= game.variant.token_unit and not answers else 0


@kernel
def note_copy(game: Game, reading: Reading, order: int) -> None:
    """Note where the copy of a card is whose discard was just judged, if its player learns that from it."""
    look, told, verdict = reading.look, reading.told, reading.verdict
    number = game.identity[order]
    if told.level < 18 or not told.passed or told.early or look.end_phase or not verdict.legal:
        return
    if verdict.name != Convention.PLAIN_DISCARD or order != look.chop[game.seat] or is_undefined(game):
        return
    two = number & 7 == 2 and not game.variant.reversed >> (number >> 3) & 1
    worth = game.playable | (1 << number if two else 0)
    if not (look.needed & ~look.critical & worth) >> number & 1 or _is_in_sight(game, number):
        return
    told.noted_as[game.seat] = number
    told.noted[game.seat] = _where(game, reading, game.seat, number, order)


@kernel
def note_implied(game: Game, reading: Reading) -> None:
    """Note what the bad card of a clue, just judged, tells a third player to hold (`bad_touch`)."""
    told = reading.told
    number = implied_copy(game, reading)
    if number < 0:
        return
    for seat in range(game.seats):
        if told.noted[seat] == 0 and misses_copy(game, reading, seat, number):
            told.noted_as[seat] = number
            told.noted[seat] = _where(game, reading, seat, number, -1)


@kernel
def _is_in_sight(game: Game, number: int) -> bool:
    """Return whether the player to move sees a copy in another hand, or a card there is unknown to us."""
    for seat in range(game.seats):
        if seat != game.seat:
            for i in range(game.hand_len[seat]):
                if game.identity[game.hands[seat][i]] in (number, -1):
                    return True
    return False


@kernel
def _where(game: Game, reading: Reading, seat: int, number: int, leaves: int) -> int:
    """Return the cards of a hand that may be `number`, without one that leaves it."""
    cards = 0
    for i in range(game.hand_len[seat]):
        order = game.hands[seat][i]
        if order != leaves and reading.look.sees[order] >> number & 1:
            cards |= 1 << order
    return cards


@kernel
def shrink_by_leaving(game: Game, reading: Reading, order: int) -> None:
    """Take a card that leaves a hand out of the notes: there is no copy left if it is one itself."""
    told = reading.told
    for seat in range(game.seats):
        if told.noted[seat] == 0:
            continue
        if told.noted_as[seat] == game.identity[order]:
            told.noted[seat] = 0
        told.noted[seat] &= ~(1 << order)


@kernel
def _left_by_clue(game: Game, reading: Reading) -> int:
    """Return the cards that the clue leaves of the note of its receiver."""
    clue, told = reading.clue, reading.told
    number = told.noted_as[clue.receiver]
    left = 0
    rest = told.noted[clue.receiver]
    named = clue.identities >> number & 1
    while rest:
        order = lowest(rest)
        rest = drop_lowest(rest)
        if reading.look.sees[order] >> number & 1 and clue.touched >> order & 1 == named:
            left |= 1 << order
    return left


@kernel
def shrink_by_clue(game: Game, reading: Reading) -> None:
    """Take out of the note of the receiver what the clue, just judged, shows to be something else.

    Once it touches the last card that is left, the receiver knows what that is.
    """
    clue, told = reading.clue, reading.told
    if told.noted[clue.receiver] == 0:
        return
    left = _left_by_clue(game, reading)
    told.noted[clue.receiver] = left
    if is_one(left) and clue.touched & left:
        card, ids = lowest(left), 1 << told.noted_as[clue.receiver]
        told.noted[clue.receiver] = 0
        told.inferred[card] = ids
        note_source(told, card, game.turn, game.seat, ids, 0)


@kernel
def singled_out(game: Game, reading: Reading) -> int:
    """Return the card that the clue shows to be the playable one that was noted, -1 if there is none."""
    clue, told = reading.clue, reading.told
    if told.noted[clue.receiver] == 0 or not game.playable >> told.noted_as[clue.receiver] & 1:
        return -1
    left = _left_by_clue(game, reading)
    return lowest(left) if is_one(left) and clue.touched & left else -1


@kernel
def judge_elimination(game: Game, reading: Reading) -> None:
    """Judge a clue that singles out its focus, which its holder plays as what was noted."""
    verdict, number = reading.verdict, reading.told.noted_as[reading.clue.receiver]
    keep_readings(verdict, 1 << number)
    if game.identity[verdict.focus] not in (number, -1):
        refuse(verdict, Reason.UNREADABLE)
        return
    decide(verdict, Convention.PLAY_CLUE)
    add_meaning(verdict, Convention.ELIMINATION)
