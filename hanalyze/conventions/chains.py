"""Chains of prompts, finesses and layers by which a clue's focus becomes playable.

H-Group: https://hanabi.github.io/level-1#the-prompt, https://hanabi.github.io/level-1#the-finesse,
https://hanabi.github.io/level-2#the-reverse-finesse and
https://hanabi.github.io/level-5#the-layered-finesse.
"""

from __future__ import annotations

from typing import Final

from hanalyze.conventions.reach import ids_in_hands
from hanalyze.conventions.state import ConventionState
from hanalyze.conventions.steps import MAX_STEPS, Chain, clear_chain, push_step, set_step
from hanalyze.conventions.turn_view import finesse_position
from hanalyze.engine.game import Game, next_seat, next_seats
from hanalyze.engine.stacks import after_playing, missing_ids, next_missing
from hanalyze.game.actions import RANK_CLUE
from hanalyze.game.meanings import Convention, Reason, StepKind
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import is_one, members

kernel_module(__name__)

# --- Places to search for the missing card, as bits; other hands are always searched.
OTHERS: Final = 0
OWN: Final = 1
"""Search the receiver's own hand."""
UNKNOWN: Final = 2
"""Search the cards of unknown identity."""
GIVERS: Final = 4
"""Search the giver's hand for cards that only the other players know."""


def prompt_card(game: Game, state: ConventionState, seat: int, number: int, used: int) -> int:
    """Return the clued card that the holder would play as `number` if prompted, -1 if there is none.

    This is the card touched by the most kinds of clues, then the newest. Cards in `used`, known trash, and
    cards that are known to be something else, or that will play as something else, do not count.
    """
    view = state.turn_view
    best = -1
    most = 0
    cards = view.cards[seat] & game.clued & ~used & ~view.known_trash
    if cards == 0:
        return -1
    for i in range(game.hand_len[seat] - 1, -1, -1):
        order = game.hands[seat][i]
        if not cards >> order & 1 or not game.possible[order] >> number & 1:
            continue
        belief = view.belief[order]
        if not belief >> number & 1 and (is_one(belief) or view.future_plays >> order & 1):
            continue
        clues = min(game.colour_clues[order], 1) + min(game.rank_clues[order], 1)
        if clues > most:
            most = clues
            best = order
            if most == 2:
                break
    return best


def _push(game: Game, chain: Chain, seat: int, order: int, kind: int, true: int, number: int) -> None:
    """Add a card that its holder takes for the missing `number`; its identity is `true`.

    If the two identities differ, the card lies in front of the missing one.
    """
    push_step(chain, seat, order, kind, 1 << number)
    chain.playable = after_playing(game, chain.playable, true)


def _push_prompt(game: Game, state: ConventionState, seat: int, order: int, number: int) -> None:
    chain = state.verdict.chain
    _push(game, chain, seat, order, StepKind.PROMPT, number, number)
    chain.prompts += 1
    if seat == state.clue.receiver:
        chain.own = 1


def _push_blind(game: Game, state: ConventionState, seat: int, order: int, number: int) -> None:
    chain, clue = state.verdict.chain, state.clue
    _push(game, chain, seat, order, StepKind.FINESSE, number, number)
    chain.blind += 1
    if seat == clue.receiver:
        chain.own = 1
    elif (seat - clue.giver) % game.seats > (clue.receiver - clue.giver) % game.seats:
        chain.reverse = 1


def _is_seen_gotten(game: Game, state: ConventionState, seat: int, number: int) -> bool:
    """Return whether a player sees `number` clued outside the giver's hand, and so will not play it blind."""
    for other in range(game.seats):
        if other in (seat, state.clue.giver):
            continue
        for order in members(state.turn_view.cards[other] & game.clued & ~state.verdict.chain.used):
            if game.identity[order] == number:
                return True
    return False


def _find_in_hand(game: Game, state: ConventionState, seat: int, number: int, layers: bool) -> bool:
    """Prompt or finesse `number` in a hand; return whether the hand has such a card.

    With `layers` the card may lie behind playable cards. A clued card that its holder takes for the missing
    card, but that is another playable card, plays first (hidden finesse).
    """
    chain = state.verdict.chain
    length, used, playable = chain.length, chain.used, chain.playable
    for _ in range(MAX_STEPS - 2 - length):
        prompt = prompt_card(game, state, seat, number, chain.used)
        if prompt < 0:
            break
        true = game.identity[prompt]
        if true == number:
            _push_prompt(game, state, seat, prompt, number)
            return True
        # A card that plays anyway is not a wrong prompt, even if its holder takes it for the missing card.
        plays = true >= 0 and (state.turn_view.future_plays | state.turn_view.doubtful) >> prompt & 1 != 0
        if plays and state.turn_view.hypo_played >> true & 1:
            push_step(chain, seat, prompt, StepKind.HIDDEN_PROMPT, 1 << number)
            continue
        if true < 0 or not chain.playable >> true & 1:
            if true >= 0 and not plays:
                chain.failure |= 1 << Reason.WRONG_PROMPT
                set_step(state.verdict.wrong, seat, prompt, StepKind.PROMPT, 1 << number)
            chain.length, chain.used, chain.playable = length, used, playable
            return False
        _push(game, chain, seat, prompt, StepKind.HIDDEN_PROMPT, true, number)
    hidden = 1 if chain.length > length else 0
    absent = state.offers.searching and not state.offers.in_hand_ids[seat] >> number & 1
    if absent or (hidden and not layers) or _is_seen_gotten(game, state, seat, number):
        chain.length, chain.used, chain.playable = length, used, playable
        return False
    for depth in range(MAX_STEPS - 2 - chain.length):
        order = finesse_position(game, state.turn_view, seat, chain.used)
        if order < 0:
            break
        true = game.identity[order]
        if true == number:
            chain.hidden_prompts += hidden
            chain.layers += depth
            _push_blind(game, state, seat, order, number)
            return True
        if not layers or true < 0 or not chain.playable >> true & 1:
            break
        _push(game, chain, seat, order, StepKind.LAYER, true, number)
    chain.length, chain.used, chain.playable = length, used, playable
    return False


def _is_misplayed_before(
    game: Game, state: ConventionState, seat: int, missing: int, last: int, playable: int
) -> bool:
    """Return whether a player misplays a clued card as `missing` before the called player `seat` moves.

    A prompt takes precedence over a finesse, even of another player. `last` is the seat of the step before,
    -1 for the first step, and `playable` are the identities that are playable after that step.
    """
    clue, chain, view = state.clue, state.verdict.chain, state.turn_view
    is_due = last >= 0 or game.playable >> missing & 1
    if not is_due or chain.steps[chain.length - 1].kind != StepKind.FINESSE:
        return False
    for other in next_seats(last if last >= 0 else clue.giver, game.seats):
        if other == seat:
            return False
        if other in (clue.giver, clue.receiver):
            continue
        card = prompt_card(game, state, other, missing, chain.used)
        true = game.identity[card] if card >= 0 else -1
        if true < 0 or playable >> true & 1 or (view.future_plays | view.doubtful) >> card & 1:
            continue
        if not _is_seen_gotten(game, state, other, missing):
            chain.failure |= 1 << Reason.WRONG_PROMPT
            set_step(state.verdict.wrong, other, card, StepKind.PROMPT, 1 << missing)
            return True
    return False


def _shows_another(game: Game, state: ConventionState, seat: int, number: int) -> bool:
    """Return whether a hand has no clued card to prompt, but a card other than `number` to finesse."""
    view, used = state.turn_view, state.verdict.chain.used
    first = view.finesse_card[seat]
    if view.cards[seat] & game.clued & ~used & ~view.known_trash or first < 0 or used >> first & 1:
        return False
    return game.identity[first] != number


def _guess(game: Game, state: ConventionState, seat: int, number: int) -> bool:
    """Prompt or finesse a card of unknown identity as `number`; return whether the hand has one.

    From level 5 on, the card may lie behind playable cards.
    """
    chain = state.verdict.chain
    length, used, playable = chain.length, chain.used, chain.playable
    order = prompt_card(game, state, seat, number, used)
    if order >= 0 and game.identity[order] < 0:
        _push_prompt(game, state, seat, order, number)
        return True
    while chain.length < MAX_STEPS - 2:
        order = finesse_position(game, state.turn_view, seat, chain.used)
        if order < 0:
            break
        true = game.identity[order]
        if true < 0 and state.turn_view.belief[order] >> number & 1:
            chain.layers += chain.length - length
            _push_blind(game, state, seat, order, number)
            return True
        if true < 0 or state.common.level < 5 or not chain.playable >> true & 1:
            break
        _push(game, chain, seat, order, StepKind.LAYER, true, number)
    chain.length, chain.used, chain.playable = length, used, playable
    return False


def _may_be_layered(game: Game, state: ConventionState, seat: int) -> bool:
    """Return whether a hand has a possible first layer: a clued card, or a playable card to finesse."""
    view, chain = state.turn_view, state.verdict.chain
    if view.cards[seat] & game.clued:
        return True
    first = finesse_position(game, view, seat, chain.used)
    true = game.identity[first] if first >= 0 else -1
    return true >= 0 and chain.playable >> true & 1 != 0


def _is_taken_for_bluff(game: Game, state: ConventionState, missing: int, number: int) -> bool:
    """Return whether the next player would take a layer in front of `missing` for a bluff."""
    level, chain = state.common.level, state.verdict.chain
    if level < 11 or chain.length or not game.playable >> missing & 1:
        return False
    return not is_too_far(game, state, missing, number)


def _find_step(game: Game, state: ConventionState, missing: int, number: int, where: int) -> bool:
    """Call a card of identity `missing` so that the focus can be `number`; return whether a card is found.

    The search covers other hands, then layers in other hands, then, as `where` allows, the receiver's hand
    and unknown cards. It fails if an earlier player would misplay a clued card as the missing one.
    """
    clue, view, level = state.clue, state.turn_view, state.common.level
    chain = state.verdict.chain
    last = chain.steps[chain.length - 1].seat if chain.length else -1
    playable = chain.playable
    ways = 2 if level >= 5 else 1
    for layers in range(ways):
        seat = clue.giver
        for ahead in range(1, game.seats):
            seat = next_seat(seat, game.seats)
            if seat == clue.receiver:
                continue
            if layers == 0 and _shows_another(game, state, seat, missing):
                continue
            if layers and not _may_be_layered(game, state, seat):
                continue
            if layers and ahead == 1 and _is_taken_for_bluff(game, state, missing, number):
                continue
            if _find_in_hand(game, state, seat, missing, layers > 0):
                return not _is_misplayed_before(game, state, seat, missing, last, playable)
    if where & OWN:
        for layers in range(ways):
            if _find_in_hand(game, state, clue.receiver, missing, layers > 0):
                return True
    if where & UNKNOWN and view.hidden:
        for seat in next_seats(clue.giver, game.seats):
            may_guess = seat != clue.receiver or where & OWN
            if may_guess and view.hidden & view.cards[seat] and _guess(game, state, seat, missing):
                return True
    return False


def plays_by_itself(
    game: Game, state: ConventionState, number: int, used: int, playable: int, where: int
) -> bool:
    """Return whether a gotten card outside `used` plays as `number` without a further message.

    A card of unknown identity counts if it may be `number`. `playable` are the identities that are playable
    by then. The giver's own card must be known to the giver, unless `where` contains `GIVERS`.
    """
    view, clue = state.turn_view, state.clue
    if not view.gotten_ids >> number & 1:
        return False
    for order in members(view.gotten & ~used & ~view.known_trash):
        bit = 1 << order
        belief = view.belief[order]
        if clue.touched & bit:
            belief &= clue.identities
        if belief >> number & 1 and belief & ~(playable | view.hypo_played) == 0:
            if game.place[order] != clue.giver:
                if game.identity[order] in (number, -1):
                    return True
            elif is_one(belief) or (where & GIVERS and game.identity[order] == number):
                return True
    return False


def _is_run(game: Game, state: ConventionState, missing: int, number: int) -> bool:
    """Return whether third players have gotten cards of all identities missing before `number`, at least two.

    The holders need not know which card is which, only that each has one of these identities, or one that
    will already have been played.
    """
    view, clue = state.turn_view, state.clue
    gotten_ids = 0
    for seat in range(game.seats):
        if seat not in (clue.giver, clue.receiver):
            gotten_ids |= view.hand_ids[seat]
    if not gotten_ids >> missing & 1:
        return False
    run = missing_ids(game, 1 << missing, number)
    if run < 0 or is_one(run):
        return False
    held_ids = 0
    rest = view.gotten & ~view.known_trash & ~state.verdict.chain.used
    rest &= ~(view.cards[clue.giver] | view.cards[clue.receiver])
    for order in members(rest):
        true = game.identity[order]
        if true >= 0 and view.belief[order] & ~(run | view.hypo_played) == 0:
            held_ids |= 1 << true
    return run & ~held_ids == 0


def _is_tentatively_called(game: Game, state: ConventionState, missing: int) -> bool:
    """Return whether a tentative call includes the `missing` card."""
    common = state.common
    for order in members(
        common.tentative_calls & ~state.verdict.chain.used & ~state.turn_view.cards[state.clue.giver]
    ):
        if common.tentative_ids[order] >> missing & 1 and game.identity[order] == missing:
            return True
    return False


def cards_away(game: Game, state: ConventionState, missing: int, number: int) -> int:
    """Return how many ungotten cards, from `missing` on, must be played before a focus `number`.

    The result is -1 if no playable identity leads to the focus.
    """
    focus, playable, steps = state.verdict.focus, state.turn_view.hypo_playable, 0
    for distance in range(6):
        if missing == number:
            break
        clued = plays_by_itself(game, state, missing, 1 << focus, playable, OTHERS)
        clued = clued or _is_clued_copy(game, state, missing, distance > 0)
        steps += not clued
        playable = after_playing(game, playable, missing)
        missing = next_missing(game, playable, number)
        if missing < 0:
            return -1
    return steps


def is_too_far(game: Game, state: ConventionState, missing: int, number: int) -> bool:
    """Return whether `cards_away` from `missing` to `number` is not 1, the right distance for a bluff.

    From level 13 on, a 3 may be two cards away, and a critical card other than a 5 any number of cards away
    if its first clue is a colour clue.
    """
    steps = cards_away(game, state, missing, number)
    if steps > 1 and state.common.level >= 13:
        if number & 7 == 3 and steps <= 2:
            return False
        by_colour = state.clue.kind != RANK_CLUE
        first_touched = not game.clued >> state.verdict.focus & 1
        critical = state.turn_view.critical & ~game.variant.last_ranks
        return not (by_colour and critical >> number & 1 and first_touched)
    return steps != 1


def _is_clued_copy(game: Game, state: ConventionState, number: int, guess: bool) -> bool:
    """Return whether a gotten card outside the giver's hand is `number`; with `guess`, it may be unknown."""
    view = state.turn_view
    for seat in range(game.seats):
        hidden = view.hidden & view.cards[seat]
        if seat == state.clue.giver or not (view.hand_ids[seat] >> number & 1 or (guess and hidden)):
            continue
        for order in members(view.cards[seat] & view.gotten & ~(1 << state.verdict.focus)):
            if game.identity[order] == number:
                return True
            if guess and game.identity[order] < 0 and view.belief[order] >> number & 1:
                return True
    return False


def find_chain(game: Game, state: ConventionState, number: int, where: int) -> bool:
    """Write to the verdict a chain that makes the focus playable as `number`; return whether one exists.

    The chain has no steps if gotten cards suffice. `where` is `OTHERS` to search only other hands, or a sum
    of `OWN`, `UNKNOWN` and `GIVERS`.
    """
    chain, level = state.verdict.chain, state.common.level
    clear_chain(chain)
    chain.playable = state.turn_view.hypo_playable
    chain.used = 1 << state.verdict.focus | state.clue.newly
    reach = ids_in_hands(state, where & OWN != 0)
    for _ in range(MAX_STEPS):
        missing = next_missing(game, chain.playable, number)
        if missing < 0:
            return False
        if missing == number:
            return True
        if chain.length >= MAX_STEPS - 3:
            return False
        in_reach = reach >> missing & 1
        known = state.turn_view.gotten_ids >> missing & 1
        if not in_reach and not known and not state.common.tentative_calls:
            return False
        if _is_run(game, state, missing, number):
            return True
        gotten = plays_by_itself(game, state, missing, chain.used, chain.playable, where)
        if gotten or (state.common.tentative_calls and _is_tentatively_called(game, state, missing)):
            chain.playable = after_playing(game, chain.playable, missing)
            continue
        if not in_reach or not _find_step(game, state, missing, number, where):
            chain.failure |= 1 << Reason.NO_CHAIN
            return False
        called = chain.prompts + chain.blind
        if level < 2 and (called > 1 or chain.reverse or (chain.own and chain.blind)):
            return False
    return False


def chain_name(chain: Chain) -> int:
    """Return the convention of a chain."""
    if chain.layers:
        return Convention.LAYERED_FINESSE
    if chain.hidden_prompts:
        return Convention.HIDDEN_FINESSE
    if chain.blind == 0:
        if chain.prompts == 0:
            return Convention.DELAYED_PLAY_CLUE
        return Convention.SELF_PROMPT if chain.own else Convention.PROMPT
    if chain.prompts:
        return Convention.PROMPT_FINESSE
    if chain.blind >= 2:
        return Convention.DOUBLE_FINESSE
    if chain.own:
        return Convention.SELF_FINESSE
    return Convention.REVERSE_FINESSE if chain.reverse else Convention.FINESSE
