"""Clues about cards that are clued already: fixes, tempo clues, fill-ins, burnt clues.

In: a turn that was looked at, and a clue with its focus. Out: whether the clue is one of these, and then the
verdict.
"""

from __future__ import annotations

from hanalyze.conventions.chains import plays_until, prompted
from hanalyze.conventions.hands import newest, useful_cards
from hanalyze.conventions.state import Reading
from hanalyze.conventions.turn_view import is_locked
from hanalyze.conventions.verdict import begin_verdict, decide, drop_reasons, fix, mark, refuse, set_worth
from hanalyze.engine.game import Game
from hanalyze.engine.stacks import fits_after
from hanalyze.game.meanings import Convention, Reason
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, is_one, lowest


@kernel
def _shows_two(game: Game, reading: Reading) -> bool:
    """Judge whether a clue shows that two clued cards of a hand are the same."""
    clue = reading.clue
    once = 0
    told = False
    for i in range(game.hand_len[clue.receiver]):
        order = game.hands[clue.receiver][i]
        if not clue.touched >> order & 1:
            continue
        before = game.possible[order]
        after = before & clue.identities
        told = told or after != before
        if is_one(after) and after:
            if once & after and told and after & reading.look.needed:
                fix(reading.verdict, order)
                return True
            once |= after
    return False


@kernel
def judge_fix(game: Game, reading: Reading) -> bool:
    """Judge whether a clue keeps its receiver from playing a card that does not fit, or shows a bad one."""
    clue, look = reading.clue, reading.look
    if clue.newly == 0 and _shows_two(game, reading):
        return True
    doubtful = (look.danger | look.duplicated) & look.cards[clue.receiver]
    if doubtful == 0:
        return False
    for i in range(game.hand_len[clue.receiver]):
        order = game.hands[clue.receiver][i]
        if doubtful >> order & 1 and _shows_bad(game, reading, order):
            fix(reading.verdict, order)
            return True
    return False


@kernel
def _shows_bad(game: Game, reading: Reading, order: int) -> bool:
    """Return whether a clue shows a card that would be misplayed, or is a copy or trash, for what it is."""
    clue, look = reading.clue, reading.look
    bit = 1 << order
    touched = clue.touched & bit != 0
    says = clue.identities if touched else ~clue.identities
    before = look.sees[order]
    after = before & says
    if after == 0:
        after = game.possible[order] & says
    danger = look.danger & bit != 0
    if after == before:
        # With a new card the clue is about that one.
        return danger and touched and clue.newly == 0
    if danger:
        # It would no longer be played, or is known to be trash.
        return after & ~game.playable != 0 or after & look.needed == 0
    return clue.newly == 0 and (is_one(after) or after & look.needed == 0)


@kernel
def _after_clue(reading: Reading, order: int) -> int:
    """Return what the receiver of the clue allows for of a card afterwards."""
    clue, before = reading.clue, reading.look.sees[order]
    after = before & clue.identities if clue.touched >> order & 1 else before & ~clue.identities
    return after if after else before


@kernel
def _tells_something(game: Game, reading: Reading) -> bool:
    """Return whether the clue tells something new of a clued card."""
    seat = reading.clue.receiver
    for i in range(game.hand_len[seat]):
        order = game.hands[seat][i]
        if game.clued >> order & 1 and _after_clue(reading, order) != reading.look.sees[order]:
            return True
    return False


@kernel
def _count_starts(game: Game, reading: Reading) -> int:
    """Count the clued cards of the receiver that the clue makes playable."""
    clue, look = reading.clue, reading.look
    starts = 0
    for i in range(game.hand_len[clue.receiver]):
        order = game.hands[clue.receiver][i]
        if not game.clued >> order & 1 or look.playing >> order & 1:
            continue
        number = game.identity[order]
        if order == reading.verdict.focus and number >= 0:
            starts += look.hypo_playable >> number & 1
        elif _after_clue(reading, order) & ~look.hypo_playable == 0:
            # Of a card that it neither touches nor tells anything of the clue says nothing.
            about = clue.touched >> order & 1 or _after_clue(reading, order) != look.sees[order]
            starts += 1 if about else 0
    return starts


@kernel
def judge_tempo_with_trash(game: Game, reading: Reading, stalls: bool) -> bool:
    """Judge a clue whose new cards are known trash as a tempo clue, if it makes an old card playable.

    Return whether it is one; the focus is the leftmost old card then.
    """
    clue, look, verdict = reading.clue, reading.look, reading.verdict
    old = clue.touched & ~clue.newly & ~look.playing
    if reading.told.level < 6 or old == 0 or _may_be_useful(game, reading, clue.newly):
        return False
    focus = newest(game, clue.receiver, old)
    number = game.identity[focus]
    if number < 0 or not look.hypo_playable >> number & 1 or _count_starts(game, reading) == 0:
        return False
    begin_verdict(verdict, focus, 0, 0)
    _judge_tempo(game, reading, 1, number, stalls)
    return True


@kernel
def _may_be_useful(game: Game, reading: Reading, cards: int) -> bool:
    """Return whether one of some touched cards may be useful to the receiver."""
    useful = reading.clue.identities & reading.look.needed & ~reading.look.hypo_played
    while cards:
        if game.possible[lowest(cards)] & useful:
            return True
        cards = drop_lowest(cards)
    return False


@kernel
def judge_retouch(game: Game, reading: Reading, stalls: bool) -> bool:
    """Judge a clue that touches no new card, and return whether it is explained without a chain.

    Without `stalls` only what a clue is worth by itself counts, not whether stalling is allowed.
    """
    clue, look, focus = reading.clue, reading.look, reading.verdict.focus
    hypo = look.hypo_playable
    starts = _count_starts(game, reading)
    number = game.identity[focus]
    playing = look.playing >> focus & 1
    if playing and starts == 0:
        if reading.told.level < 6:
            decide(reading.verdict, Convention.PLAY_CLUE)
        else:
            judge_nothing_new(game, reading)
        return True
    if number >= 0:
        focus_plays = not playing and hypo >> number & 1 != 0
    else:
        focus_plays = not playing and look.sees[focus] & clue.identities & hypo != 0
        if focus_plays and starts == 0 and not _tells_something(game, reading):
            # The clue repeats what is known. That makes sense for a card that can be played now.
            starts = 1
    if starts and (focus_plays or number < 0 or plays_until(game, hypo, number) < 0):
        _judge_tempo(game, reading, starts, number, stalls)
        return True
    if number >= 0 and not look.needed >> number & 1:
        judge_nothing_new(game, reading)
        return True
    return False


@kernel
def _frees_another(game: Game, reading: Reading, number: int) -> bool:
    """Return whether a gotten card of any hand plays once the focus, which is `number`, has been played."""
    look = reading.look
    if not look.hypo_playable >> number & 1:
        return False
    fits = look.hypo_playable | look.hypo_played | fits_after(game, number)
    rest = look.gotten & ~look.playing & ~look.known_trash & ~(1 << reading.verdict.focus)
    while rest:
        order = lowest(rest)
        rest = drop_lowest(rest)
        sees = _after_clue(reading, order) if game.place[order] == reading.clue.receiver else look.sees[order]
        if sees & fits_after(game, number) and sees & ~fits == 0:
            return True
    return False


@kernel
def _is_tempo_worth_a_clue(game: Game, reading: Reading, starts: int, number: int) -> bool:
    """Return whether a clue that makes `starts` clued cards playable is worth a clue."""
    clue, look = reading.clue, reading.look
    if starts >= 2 or (number >= 0 and _frees_another(game, reading, number)):
        return True
    goes_on = number >= 0 and number & 7 != game.variant.stack_size
    if goes_on and prompted(game, reading, clue.receiver, number, 0) != reading.verdict.focus:
        return True
    return is_locked(look, clue.receiver) and not look.playable_now & look.cards[clue.receiver]


@kernel
def _judge_tempo(game: Game, reading: Reading, starts: int, number: int, stalls: bool) -> None:
    """Judge a clue that makes `starts` clued cards playable; `number` is the focus, -1 if unknown."""
    clue, look, verdict = reading.clue, reading.look, reading.verdict
    # No card is newly got; what is worth a clue counts as one.
    set_worth(verdict, 1)
    chop = look.chop[clue.receiver]
    if reading.told.level < 6:
        decide(verdict, Convention.PLAY_CLUE)
    elif _is_tempo_worth_a_clue(game, reading, starts, number):
        decide(verdict, Convention.TEMPO_CLUE)
    elif look.stall_severity >= 2 and (not stalls or reading.offers.best == 0):
        decide(verdict, Convention.TEMPO_CLUE_STALL)
        set_worth(verdict, 0)
    elif game.seats > 2 and not look.end_phase and chop >= 0:
        decide(verdict, Convention.TEMPO_CHOP_MOVE)
        mark(verdict, 1 << chop)
        set_worth(verdict, useful_cards(game, look, clue.giver, 1 << chop))
    else:
        decide(verdict, Convention.TEMPO_CLUE)


@kernel
def judge_nothing_new(game: Game, reading: Reading) -> None:
    """Judge a clue that makes nothing playable, whatever was said against it so far."""
    look, verdict, level = reading.look, reading.verdict, reading.told.level
    set_worth(verdict, 0)
    says = _tells_something(game, reading)
    if says and level >= 9:
        decide(verdict, Convention.FILL_IN)
    elif look.stall_severity >= 2 and not says and level >= 9:
        decide(verdict, Convention.HARD_BURN)
    elif not says and level >= 6 and (level < 21 or look.stall_severity or look.end_phase):
        # From level 21 on a clue without any use means something that has no name here.
        decide(verdict, Convention.BURN)
    drop_reasons(verdict)
    if look.stall_severity < 2 and not look.end_phase:
        refuse(verdict, Reason.STALL_NOT_ALLOWED)
