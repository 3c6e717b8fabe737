"""Games that look the same to a player up to a turn, derived with `tests.slow_rules`."""

from __future__ import annotations

import random
from collections import Counter

import msgspec

from hanalyze.engine.batch import rules_of, variant_of
from hanalyze.game.cards import Card
from hanalyze.logs.record import GameRecord
from hanalyze.replaying import replay
from tests.slow_rules import Pair, SlowGame
from tests.slow_views import by_clues


def explicit(record: GameRecord) -> GameRecord:
    """Return a game with its deck instead of a seed."""
    return msgspec.structs.replace(record, deck=list(replay(record).deck), seed=None, id=None)


def slow_game(record: GameRecord, turn: int) -> SlowGame:
    """Return the `SlowGame` of a record before a turn, from 0."""
    rules = rules_of(record)
    start = record.options.starting_player
    game = SlowGame(variant_of(record, rules), record.deck or [], len(record.players), rules, start)
    for action in record.actions[:turn]:
        game.do(action)
    return game


def other_game(record: GameRecord, seat: int, turn: int, choice: random.Random) -> GameRecord:
    """Return a game that looks the same to a player up to a turn.

    The player's own hand and the cards still in the deck are redealt. The moves are the same up to this turn,
    which is the last; if it is a clue to the player, it touches the same cards.
    """
    game = slow_game(record, turn)
    action = record.actions[turn]
    if action.kind in (2, 3) and action.target == seat:
        game.do(action)
    own = game.hands[seat]
    assert record.deck is not None
    while True:
        pool = Counter(tuple(record.deck[order]) for order in [*own, *game.waiting])
        deck = list(record.deck)
        for order in choice.sample(own, len(own)):
            fitting = sorted(card for card in by_clues(game, order) if pool[card] > 0)
            if not fitting:
                break
            card: Pair = choice.choice(fitting)
            pool[card] -= 1
            deck[order] = Card(*card)
        else:
            break
    rest = list(pool.elements())
    choice.shuffle(rest)
    for order, card in zip(game.waiting, rest, strict=True):
        deck[order] = Card(*card)
    return msgspec.structs.replace(record, deck=deck, actions=record.actions[: turn + 1])
