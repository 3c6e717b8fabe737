"""Clues about clued cards (fix, tempo clue and its chop move, fill-in, burn), stalls, distribution clues.

H-Group: https://hanabi.github.io/level-3#the-fix-clue, https://hanabi.github.io/level-6,
https://hanabi.github.io/level-8 (distribution) and https://hanabi.github.io/level-9.
"""

from __future__ import annotations

from hanalyze.conventions.chains import OTHERS, find_chain, prompt_card
from hanalyze.conventions.focus import may_be
from hanalyze.conventions.state import ConventionState, begin_verdict, refuse
from hanalyze.conventions.steps import clear_chain
from hanalyze.conventions.turn_view import LOCKED, clued_elsewhere, is_locked, newest, useful_cards
from hanalyze.engine.game import Game
from hanalyze.engine.stacks import fits_after, plays_until
from hanalyze.game.meanings import Convention, Reason
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import is_one, members

kernel_module(__name__)


def judge_stall(game: Game, state: ConventionState) -> bool:
    """Judge whether a clue that neither saves nor calls a card is an allowed stall."""
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    level = state.common.level
    number = game.identity[verdict.focus]
    if number >= 0 and not view.needed >> number & 1:
        # The clue touches trash to pass the turn; a receiver who may take it for a useful card would play it.
        if may_be(game, state):
            return False
        if view.end_phase and level >= 8:
            verdict.name = Convention.BURN
            return True
        if view.stall_severity >= 2 and level >= 9:
            verdict.name = Convention.HARD_BURN
            return True
        return False
    if view.stall_severity == LOCKED and verdict.on_chop and level >= 9:
        verdict.name = Convention.LOCKED_HAND_SAVE
        return True
    slot_one = game.hands[clue.receiver][game.hand_len[clue.receiver] - 1]
    if view.stall_severity == 4 and clue.newly and level >= 9 and verdict.focus != slot_one:
        verdict.name = Convention.EIGHT_CLUE_SAVE
        return True
    return False


def judge_distribution(game: Game, state: ConventionState, number: int) -> bool:
    """Judge whether a late clue to a copy of a card that another player will play is a distribution clue."""
    clue, view = state.clue, state.turn_view
    if not clue.newly >> state.verdict.focus & 1 or not view.hypo_played >> number & 1:
        return False
    for seat in range(game.seats):
        if seat in (clue.giver, clue.receiver) or not view.hand_ids[seat] >> number & 1:
            continue
        # The holder of the other copy has another gotten card, too.
        if not is_one(view.gotten & view.cards[seat] & ~view.known_trash):
            state.verdict.name = Convention.DISTRIBUTION_CLUE
            state.verdict.reasons &= ~(1 << Reason.DUPLICATE)
            return True
    return False


def _shows_two(game: Game, state: ConventionState) -> bool:
    """Judge whether a clue shows that two clued cards of a hand are copies of one card (a fix)."""
    clue = state.clue
    once = 0
    common = False
    for order in game.hands[clue.receiver][: game.hand_len[clue.receiver]]:
        if not clue.touched >> order & 1:
            continue
        before = game.possible[order]
        after = before & clue.identities
        common = common or after != before
        if is_one(after) and after:
            if once & after and common and after & state.turn_view.needed:
                state.verdict.name = Convention.FIX_CLUE
                state.verdict.focus = order
                return True
            once |= after
    return False


def judge_fix(game: Game, state: ConventionState) -> bool:
    """Judge whether a clue prevents a misplay, or shows that a card is bad."""
    clue, view = state.clue, state.turn_view
    if clue.newly == 0 and _shows_two(game, state):
        return True
    doubtful = view.misplays if clue.newly else view.misplays | view.bad_cards
    doubtful &= view.cards[clue.receiver]
    feared = view.known_trash & game.clued & clue.touched & ~state.common.trash_cards
    if feared and newly_touched_ids(game, state) & view.needed:
        feared = 0
    if doubtful | feared == 0:
        return False
    for order in game.hands[clue.receiver][: game.hand_len[clue.receiver]]:
        shows = doubtful >> order & 1 and _shows_bad(game, state, order)
        if shows or (feared >> order & 1 and _seemed_playable(game, state, order)):
            state.verdict.name = Convention.FIX_CLUE
            state.verdict.focus = order
            return True
    return False


def _seemed_playable(game: Game, state: ConventionState, order: int) -> bool:
    """Return whether a clue shows trash that, as far as the giver knew, its holder took for playable.

    In fact, the holder already knows from the giver's hand that the card is trash.
    """
    clue, view = state.clue, state.turn_view
    seemed = game.possible[order] & state.common.inferred[order] & view.needed
    unseen_ids = 0
    for card in game.hands[clue.giver][: game.hand_len[clue.giver]]:
        number = game.identity[card]
        if number >= 0 and seemed >> number & 1 and not view.sure_ids[clue.giver] >> number & 1:
            unseen_ids |= 1 << number
    return seemed != 0 and seemed & (clue.identities | ~unseen_ids | ~game.playable) == 0


def _shows_bad(game: Game, state: ConventionState, order: int) -> bool:
    """Return whether a clue shows that a card is bad or not playable."""
    clue, view = state.clue, state.turn_view
    bit = 1 << order
    says = clue.identities if clue.touched & bit else ~clue.identities
    before = view.belief[order]
    after = before & says
    if after == 0:
        after = game.possible[order] & says
    if after == before:
        return False
    if view.misplays & bit:
        # After the clue, the card would no longer be played, or would be known trash.
        return after & ~game.playable != 0 or after & view.needed == 0
    return is_one(after) or after & view.needed == 0


def indirect_fixes(game: Game, state: ConventionState) -> int:
    """Return third players' cards that a newly touched other copy saves from a misplay."""
    clue, view = state.clue, state.turn_view
    shown = 0
    for order in members(view.misplays & ~view.cards[clue.giver] & ~view.cards[clue.receiver]):
        left = remaining_ids(game, state, order)
        is_copy = view.belief[order] & ~newly_touched_ids(game, state) == 0
        if is_copy and (left == 0 or left & ~game.playable):
            shown |= 1 << order
    return shown


def remaining_ids(game: Game, state: ConventionState, order: int) -> int:
    """Return the identities that good touch leaves for a third player's card, except those newly touched."""
    seen_ids = clued_elsewhere(game, game.place[order]) | newly_touched_ids(game, state)
    return game.possible[order] & state.turn_view.needed & ~seen_ids


def newly_touched_ids(game: Game, state: ConventionState) -> int:
    """Return the identities of the newly touched cards."""
    new_ids = 0
    for order in members(state.clue.newly):
        new_ids |= 1 << max(game.identity[order], 0)
    return new_ids


def _after_clue(state: ConventionState, order: int) -> int:
    """Return the receiver's belief about a card after the clue."""
    clue, before = state.clue, state.turn_view.belief[order]
    after = before & clue.identities if clue.touched >> order & 1 else before & ~clue.identities
    return after if after else before


def _tells_something(game: Game, state: ConventionState) -> bool:
    """Return whether the clue gives new information about a clued card."""
    for order in members(state.turn_view.cards[state.clue.receiver] & game.clued):
        if _after_clue(state, order) != state.turn_view.belief[order]:
            return True
    return False


def count_starts(game: Game, state: ConventionState) -> int:
    """Count the clued cards of the receiver that the clue makes playable, now or after known plays."""
    clue, view = state.clue, state.turn_view
    starts = 0
    for order in members(view.cards[clue.receiver] & game.clued & ~view.future_plays):
        number = game.identity[order]
        if order == state.verdict.focus and number >= 0:
            starts += view.hypo_playable >> number & 1
        elif _after_clue(state, order) & ~view.hypo_playable == 0:
            # Untouched cards without new information do not count.
            about = clue.touched >> order & 1 or _after_clue(state, order) != view.belief[order]
            starts += 1 if about else 0
    return starts


def judge_tempo_with_trash(game: Game, state: ConventionState, stalls: bool) -> bool:
    """Judge whether a clue whose new cards are known trash is a tempo clue; `stalls` as in `judge_clue`."""
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    old = clue.touched & ~clue.newly & ~view.future_plays
    if state.common.level < 6 or old == 0 or _may_be_useful(game, state, clue.newly):
        return False
    focus = newest(game, clue.receiver, old)
    number = game.identity[focus]
    if number < 0 or not view.hypo_playable >> number & 1 or count_starts(game, state) == 0:
        return False
    begin_verdict(verdict, focus, 0, 0)
    _judge_tempo(game, state, 1, number, stalls)
    return True


def _may_be_useful(game: Game, state: ConventionState, cards: int) -> bool:
    """Return whether, to the receiver, any of the touched `cards` may be useful."""
    useful = state.clue.identities & state.turn_view.needed & ~state.turn_view.hypo_played
    for order in members(cards):
        if game.possible[order] & useful:
            return True
    return False


def judge_retouch(game: Game, state: ConventionState, stalls: bool) -> bool:
    """Judge a clue that touches no new card, and return whether it is explained without a chain.

    `stalls` is as in `hanalyze.conventions.clues.judge_clue`.
    """
    clue, view, focus = state.clue, state.turn_view, state.verdict.focus
    hypo = view.hypo_playable
    starts = count_starts(game, state)
    number = game.identity[focus]
    playing = view.future_plays >> focus & 1
    if playing and starts == 0:
        if state.common.level < 6:
            state.verdict.name = Convention.PLAY_CLUE
        else:
            judge_nothing_new(game, state)
        return True
    if number >= 0:
        focus_plays = not playing and hypo >> number & 1 != 0
    else:
        focus_plays = not playing and view.belief[focus] & clue.identities & hypo != 0
        if focus_plays and starts == 0 and not _tells_something(game, state):
            # A clue without new information makes sense if it points to a card that can be played now.
            starts = 1
    if starts and (focus_plays or number < 0 or plays_until(game, hypo, number) < 0):
        _judge_tempo(game, state, starts, number, stalls)
        return True
    if starts and not playing and state.common.level >= 6 and _needs_reverse(game, state, number):
        # The card that the clue makes playable explains the clue more simply.
        _judge_tempo(game, state, starts, -1, stalls)
        return True
    if number >= 0 and not view.needed >> number & 1:
        judge_nothing_new(game, state)
        return True
    return False


def _needs_reverse(game: Game, state: ConventionState, number: int) -> bool:
    """Return whether other hands make the focus, `number`, playable only by a reverse finesse."""
    chain = state.verdict.chain
    reverse = find_chain(game, state, number, OTHERS) and chain.blind > 0 and chain.reverse != 0
    clear_chain(chain)
    return reverse


def _frees_another(game: Game, state: ConventionState, number: int) -> bool:
    """Return whether a gotten card plays once the focus, `number`, has been played."""
    view = state.turn_view
    if not view.hypo_playable >> number & 1:
        return False
    fits = view.hypo_playable | view.hypo_played | fits_after(game, number)
    for order in members(view.gotten & ~view.future_plays & ~view.known_trash & ~(1 << state.verdict.focus)):
        belief = _after_clue(state, order) if game.place[order] == state.clue.receiver else view.belief[order]
        if belief & fits_after(game, number) and belief & ~fits == 0:
            return True
    return False


def _is_tempo_worth_a_clue(game: Game, state: ConventionState, starts: int, number: int) -> bool:
    """Return whether a tempo clue that makes `starts` cards playable is valuable.

    It must make two cards playable, make another gotten card playable next, make the receiver play a card
    below the highest rank that no prompt would call, or give a locked receiver a card to play.
    """
    clue, view = state.clue, state.turn_view
    if starts >= 2 or (number >= 0 and _frees_another(game, state, number)):
        return True
    goes_on = number >= 0 and number & 7 != game.variant.stack_size
    if goes_on and prompt_card(game, state, clue.receiver, number, 0) != state.verdict.focus:
        return True
    return is_locked(view, clue.receiver) and not view.playable_now & view.cards[clue.receiver]


def _judge_tempo(game: Game, state: ConventionState, starts: int, number: int, stalls: bool) -> None:
    """Judge a clue that makes `starts` clued cards playable; `number` is -1 to ignore the focus."""
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    # A valuable tempo clue counts as one card gotten, although no card is newly gotten.
    verdict.worth = 1
    chop = view.chop[clue.receiver]
    if state.common.level < 6:
        verdict.name = Convention.PLAY_CLUE
    elif _is_tempo_worth_a_clue(game, state, starts, number):
        verdict.name = Convention.TEMPO_CLUE
    elif view.stall_severity >= 2 and (not stalls or state.offers.best == 0):
        verdict.name = Convention.TEMPO_CLUE_STALL
        verdict.worth = 0
    elif game.seats > 2 and not view.end_phase and chop >= 0:
        verdict.name = Convention.TEMPO_CHOP_MOVE
        verdict.marked_cards = 1 << chop
        verdict.worth = useful_cards(game, view, clue.giver, 1 << chop)
    else:
        verdict.name = Convention.TEMPO_CLUE


def judge_nothing_new(game: Game, state: ConventionState) -> None:
    """Judge a clue that makes nothing playable: fill-in or burn."""
    view, verdict, level = state.turn_view, state.verdict, state.common.level
    verdict.worth = 0
    says = _tells_something(game, state)
    if says and level >= 9:
        verdict.name = Convention.FILL_IN
    elif view.stall_severity >= 2 and not says and level >= 9:
        verdict.name = Convention.HARD_BURN
    elif not says and level >= 6 and (level < 21 or view.stall_severity or view.end_phase):
        # From level 21 on, a useless clue has a meaning that is not supported.
        verdict.name = Convention.BURN
    verdict.reasons = 0
    if view.stall_severity < 2 and not view.end_phase:
        refuse(verdict, Reason.STALL_NOT_ALLOWED)
    if not says and not view.future_plays >> verdict.focus & 1 and may_be(game, state) & view.hypo_playable:
        # The receiver takes the clue for a tempo clue.
        refuse(verdict, Reason.UNREADABLE)
