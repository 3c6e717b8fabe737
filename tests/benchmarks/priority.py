"""Plays without priority in real games: what they would promise by level 25, and whether it was answered.

In: the games of `../shared/golden/real-3p.jsonl.gz`, or logs. Out: counts. A fully known card that is played
while another known card should go first (one that leads into a gotten card of another hand, then of the own,
then a 5, then lower ranks, then newer cards) promises the card that follows it: a clued one (prompt), one on
a finesse position (finesse), or of the next player any (bluff). Answered: played on its holder's next turn,
blind ones without a clue in between. By this count the reader leaves priority out.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from hanalyze.conventions.chains import _find_in_hand, prompt_card
from hanalyze.conventions.moves import judge_play
from hanalyze.conventions.opportunities import find_opportunities
from hanalyze.conventions.reader import read_action
from hanalyze.conventions.rows import room_for
from hanalyze.conventions.state import ConventionState, begin, begin_turn
from hanalyze.conventions.steps import clear_chain
from hanalyze.engine.batch import deal_records, make_batch
from hanalyze.engine.game import Game
from hanalyze.engine.playing import next_action, start_game
from hanalyze.engine.rules import apply_action
from hanalyze.engine.stacks import after_playing, fits_after
from hanalyze.game.actions import PLAY
from hanalyze.game.meanings import Convention, Reason
from hanalyze.kernels.masks import is_one, lowest
from hanalyze.logs import GameRecord, read
from hanalyze.logs.formats.hanab_live import decode
from tests.shared import golden

LEVEL = 25


class Promise(NamedTuple):
    """A card that a play without priority promises: what kind of call, whose, which card."""

    kind: str
    seat: int
    card: int


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits of a mask, lowest first."""
    while mask:
        yield lowest(mask)
        mask &= mask - 1


def _class(game: Game, state: ConventionState, order: int, number: int, seen: int) -> int:
    """Return how soon a card goes: 3 into another hand (`seen` is gotten there), 2 into the own, 1 a 5."""
    after = fits_after(game, number)
    own = 0
    for other in bits(state.turn_view.cards[game.seat] & state.turn_view.gotten & ~(1 << order)):
        own |= state.turn_view.belief[other] if is_one(state.turn_view.belief[other]) else 0
    if after & seen:
        return 3
    return 2 if after & own else number & 7 == 5


def _lacks_priority(game: Game, state: ConventionState, order: int, seat: int) -> bool:
    """Return whether a player, who sees no more of the own hand than all, sees what should go first."""
    view = state.turn_view
    number = game.identity[order]
    seen = 0
    for other in range(game.seats):
        if other != game.seat:
            seen |= view.sure_ids[other] if other == seat else view.hand_ids[other]
    this = _class(game, state, order, number, seen)
    if this == 3:
        return False
    hand = list(game.hands[game.seat])
    for other in bits(view.playable_now & view.cards[game.seat] & ~(1 << order)):
        sure = is_one(view.belief[other])
        earlier = True
        for one in bits(view.belief[other]):
            that = _class(game, state, other, one, seen)
            lower = one & 7 < number & 7
            newer = one & 7 == number & 7 and sure and hand.index(other) > hand.index(order)
            free = this == 2 or one == number
            earlier &= one != number and (that > this or (that == this and not free and (lower or newer)))
        if earlier:
            return True
    return False


def promise(game: Game, state: ConventionState, order: int) -> Promise | None:
    """Return what a plain play promises by the rule of priority, if anything."""
    view, common, number = state.turn_view, state.common, game.identity[order]
    known = view.belief[order] == 1 << number and view.gotten >> order & 1
    others = view.playable_now & view.cards[game.seat] & ~(1 << order)
    after = fits_after(game, number)
    if not known or not others or view.end_phase or common.blind & view.cards[game.seat]:
        return None
    if not game.playable >> number & 1 or not after & view.needed:
        return None
    wanted, chain = lowest(after), state.verdict.chain
    for layers in (False, True):
        for ahead in range(1 + layers, game.seats):
            seat = (game.seat + ahead) % game.seats
            if common.blind & view.cards[seat] or not _lacks_priority(game, state, order, seat):
                continue
            clear_chain(chain)
            chain.used, chain.playable = 0, after_playing(game, game.playable, number)
            if _find_in_hand(game, state, seat, wanted, layers):
                return Promise("finesse" if chain.blind else "prompt", seat, chain.steps[0].order)
            if chain.failure >> Reason.WRONG_PROMPT & 1:
                return Promise("nowhere", seat, -1)
    seat = (game.seat + 1) % game.seats
    if common.blind & view.cards[seat] or not _lacks_priority(game, state, order, seat):
        return None
    first = view.finesse_card[seat]
    if prompt_card(game, state, seat, wanted, 0) >= 0 or first < 0:
        return None
    for other in range(game.seats):
        if other != seat and any(game.identity[card] == wanted for card in bits(view.cards[other])):
            return Promise("nowhere", seat, -1)
    plays = after_playing(game, game.playable, number) >> game.identity[first] & 1
    return Promise("bluff" if plays else "nowhere", seat, first)


def promises(record: GameRecord) -> Iterator[tuple[str, bool]]:
    """Yield what the plays of a game promise, and whether that was answered."""
    batch = make_batch(deal_records([record])).laid_out(fast=False)
    game, state, rows = Game(), ConventionState(), room_for(4 * len(record.actions) + 4)
    start_game(game, batch, 0)
    begin(game, state, LEVEL)
    waiting: list[Promise] = []
    for index in range(batch.actions[0]):
        if not next_action(game, batch, index):
            break
        kind, target, value = game.action.kind, game.action.target, game.action.value
        begin_turn(game, state)
        find_opportunities(game, state)
        for one in [one for one in waiting if one.seat == game.seat]:
            waiting.remove(one)
            clued = one.kind != "prompt" and game.clued >> one.card & 1
            yield one.kind, kind == PLAY and target == one.card and not clued
        if kind == PLAY:
            judge_play(game, state, target, game.playable >> game.identity[target] & 1 != 0)
            if state.verdict.name == Convention.PLAIN_PLAY:
                found = promise(game, state, target)
                if found is not None and found.kind == "nowhere":
                    yield "nowhere", False
                elif found is not None:
                    waiting.append(found)
        read_action(game, state, rows, kind, target, value)
        apply_action(game, kind, target, value)
    for one in waiting:
        yield one.kind, False


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("logs", nargs="*", help="logs; by default the real games")
    given = parser.parse_args()
    records = [record for path in given.logs for record in read(path)]
    if not given.logs:
        records = [decode(json.dumps(line["game"]).encode()) for line in golden("real-3p")]
    found = [one for record in records for one in promises(record)]
    plays, answered = Counter(kind for kind, _ in found), Counter(kind for kind, came in found if came)
    print(f"{len(records)} games, {len(found)} plays without priority")
    for kind in ("prompt", "finesse", "bluff", "nowhere"):
        print(f"{kind:8} {plays[kind]:4} answered {answered[kind]}")


if __name__ == "__main__":
    main()
