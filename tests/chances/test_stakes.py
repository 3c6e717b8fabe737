"""Points at stake with a card: what the maximum score loses where it is lost, by hand and by replaying."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

import hanalyze as hz
from hanalyze.agents import simulate
from hanalyze.chances.model import read_hand_cards
from hanalyze.engine.batch import deal_records, make_batch
from hanalyze.engine.game import Game
from hanalyze.engine.measure import critical_cards
from hanalyze.engine.playing import next_action, start_game
from hanalyze.engine.rules import apply_action
from hanalyze.engine.stacks import points_of
from hanalyze.game.actions import DISCARD, PLAY
from hanalyze.position import Position
from hanalyze.tables.chances import ACTS
from tests.slow_views import weights

VARIANTS = (
    "No Variant",
    "Reversed (5 Suits)",
    "Up or Down (5 Suits)",
    "Sudoku (5 Suits)",
    "Dark Null (6 Suits)",
)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_points_of_a_card_are_those_that_go_with_it(variant: str) -> None:
    lost = 0
    for record in simulate("random", players=3, games=8, seed=4, variant=variant, fast=False):
        batch = make_batch(deal_records([record])).laid_out(fast=False)
        game = Game.new(fast=False)
        start_game(game, batch, 0)
        for index in range(int(batch.actions[0])):
            if not next_action(game, batch, index):
                break
            kind, target, value = game.action.kind, game.action.target, game.action.value
            before = game.max_score
            points = 0
            if kind in (PLAY, DISCARD):
                number = game.identity[target]
                if critical_cards(game) >> number & 1 and not (kind == PLAY and game.playable >> number & 1):
                    points = points_of(game, number)
                    lost += 1
                assert game.max_score == before
            fits = kind == PLAY and game.playable >> game.identity[target] & 1
            apply_action(game, kind, target, value)
            if not fits:
                assert before - game.max_score == points
    assert lost >= 5


def test_the_stake_of_a_card_is_the_mean_over_what_it_may_be() -> None:
    """Counted anew over the whole hand: the points are the ranks from the card on up to what is reachable."""
    record = next(iter(simulate("cautious", players=3, games=1, seed=9, fast=False)))
    replayed = hz.replay(record)
    columns = read_hand_cards(make_batch(deal_records([record])), fast=False).columns
    rows = zip(*(columns[name].tolist() for name in ("turn", "seat", "slot", "act", "stake")), strict=True)
    checked = 0
    for turn, seat, slot, act, stake in rows:
        if act == ACTS.index("none"):
            assert stake == 0.0
            continue
        position = replayed.state(turn)
        laid = weights(
            Counter(tuple(card) for cards in position.unseen[seat] for card in cards),
            [set(map(tuple, cards)) for cards in position.possible[seat]],
        )[len(position.hands[seat]) - slot]
        weight = total = 0
        for card, ways in laid.items():
            critical = card in position.critical
            counts = card not in position.playable if act == ACTS.index("play") else critical
            weight += ways * counts
            total += ways * counts * critical * (_reachable(position, card[0]) + 1 - card[1])
        assert stake == pytest.approx(float(Fraction(total, weight)) if weight else 0.0)
        checked += stake > 0
    assert checked >= 5


def _reachable(position: Position, suit: int) -> int:
    """Return how far the stack of a suit can still go, without a variant."""
    rank = len(position.stacks[suit])
    while rank < 5 and position.needed.mask >> (suit * 8 + rank + 1) & 1:
        rank += 1
    return rank
