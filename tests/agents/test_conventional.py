"""The player that keeps to conventions: what it means is what is read, and it looks at no hidden card."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from itertools import islice

import numpy as np
import pytest

from hanalyze.agents import Intention, simulate, simulate_with_meanings
from hanalyze.agents.conventional import MEANING_SIZE, choose_by_conventions
from hanalyze.agents.viewpoints import Viewpoint, Viewpoints, begin_viewpoints, pair, read_for_all
from hanalyze.conventions.rows import room_for
from hanalyze.conventions.run import read_games
from hanalyze.engine.batch import deal_records, make_batch
from hanalyze.engine.game import Choice, Game, Knowledge
from hanalyze.engine.playing import start_game
from hanalyze.engine.rules import apply_action
from hanalyze.errors import HanalyzeError
from hanalyze.game.actions import ActionKind
from hanalyze.game.cards import Card, identity
from hanalyze.game.editions import EndCondition
from hanalyze.game.meanings import Convention
from hanalyze.kernels.compiling import can_compile
from hanalyze.kernels.record import packed
from hanalyze.logs import GameRecord

TABLES = (2, 3, 4, 5)
Played = list[tuple[GameRecord, tuple[Intention, ...]]]


def read(played: Played, level: int, fast: bool) -> list[Intention]:
    """Return what a reader who sees all cards takes the actions of all games for."""
    out = read_games(make_batch(deal_records([record for record, _ in played])), level=level, fast=fast)
    found = out.findings
    mains = np.flatnonzero(found["number"] == 0)
    return [
        Intention(
            Convention(int(found["convention"][row])),
            int(found["focus"][row]) if found["focus"][row] >= 0 else None,
            tuple(order for order in found["cards"][row].tolist() if order >= 0),
        )
        for row in mains
    ]


def disagreements(played: Played, level: int, fast: bool) -> tuple[Counter[str], Counter[str]]:
    """Return how often each convention was meant, and how often something else was read then."""
    meant = [one for _, meanings in played for one in meanings]
    other: Counter[str] = Counter()
    for ours, theirs in zip(meant, read(played, level, fast), strict=True):
        if ours.convention != theirs.convention:
            other[ours.convention.label] += 1
    return Counter(one.convention.label for one in meant), other


def play(players: Iterable[int], games: int, level: int, fast: bool, seed: int = 1) -> Played:
    return [
        game
        for count in players
        for game in simulate_with_meanings(players=count, games=games, seed=seed, level=level, fast=fast)
    ]


@pytest.mark.heavy
@pytest.mark.parametrize("level", [1, 2])
def test_what_is_meant_is_what_is_read(level: int) -> None:
    meant, other = disagreements(play(TABLES, 8, level, False), level, False)
    assert other.total() <= 0.01 * meant.total(), other
    assert meant["play_clue"] > 100
    assert meant["finesse"] + meant["reverse_finesse"] > 0


# Least share of the actions meant as a convention that are read as it; 99 in 100 for all others.
LEAST = {
    "prompt": 0.85,
    "self_prompt": 0.8,
    "prompt_finesse": 0.85,
    "prompted_play": 0.85,
    "self_finesse": 0.9,
    "double_finesse": 0.95,
    "finesse": 0.95,
    "reverse_finesse": 0.95,
    "delayed_play_clue": 0.95,
    "blind_play": 0.95,
    "unexplained": 0.95,
}


@pytest.mark.heavy
@pytest.mark.compiled
@pytest.mark.skipif(not can_compile(), reason="needs Numba")
@pytest.mark.parametrize("level", [1, 2])
def test_what_is_meant_is_what_is_read_in_many_games(level: int) -> None:
    meant: Counter[str] = Counter()
    other: Counter[str] = Counter()
    for players in TABLES:
        these, wrong = disagreements(play([players], 1000, level, True), level, True)
        print(f"level {level}, {players} players: {1 - wrong.total() / these.total():.4f}")
        assert wrong.total() <= 0.01 * these.total()
        meant += these
        other += wrong
    for name, count in meant.most_common():
        print(f"{name:20} {count:7} {1 - other[name] / count:.4f}")
        if count >= 50:
            assert 1 - other[name] / count >= LEAST.get(name, 0.99), name


@pytest.mark.heavy
def test_level_1_keeps_to_level_1() -> None:
    for level in (1, 2):
        levels = {one.convention.level for _, meant in play((2, 4), 5, level, False) for one in meant}
        assert max(levels) == level


@pytest.mark.heavy
def test_an_action_has_a_meaning_that_is_about_it() -> None:
    for record, meant in play(TABLES, 3, 2, False):
        assert len(meant) == len(record.actions)
        for action, one in zip(record.actions, meant, strict=True):
            if action.kind in (ActionKind.PLAY, ActionKind.DISCARD):
                assert one.focus == action.target
                assert one.cards == ()
            if one.convention in (Convention.FINESSE, Convention.PROMPT, Convention.SELF_FINESSE):
                assert len(one.cards) == 1


@pytest.mark.heavy
def test_the_games_are_those_of_simulate() -> None:
    games = list(simulate("conventional", players=4, games=3, seed=5))
    assert games == [record for record, _ in simulate_with_meanings(players=4, games=3, seed=5)]
    assert games[1:] == list(simulate("conventional", players=4, games=2, seed=6))
    assert all(record.source == "hanalyze simulate, conventional" for record in games)


@pytest.mark.heavy
@pytest.mark.compiled
@pytest.mark.skipif(not can_compile(), reason="needs Numba")
def test_both_speeds_give_the_same_games_and_meanings() -> None:
    for level in (1, 2):
        assert play(TABLES, 5, level, True, 30) == play(TABLES, 5, level, False, 30)
    how = {"players": 3, "games": 2, "variant": "Rainbow & White (6 Suits)"}
    assert list(simulate_with_meanings(**how, fast=True)) == list(simulate_with_meanings(**how, fast=False))


@pytest.mark.heavy
def test_it_plays_better_than_who_knows_no_conventions() -> None:
    def mean(agent: str, players: int) -> float:
        scores = [record.score or 0 for record in simulate(agent, players=players, games=12, fast=False)]
        return sum(scores) / len(scores)

    for players in TABLES:
        margin = 2 if players > 2 else 0
        assert mean("conventional", players) > mean("cautious", players) + margin


@pytest.mark.parametrize("level", [0, 3])
def test_a_level_that_is_not_played_is_refused(level: int) -> None:
    with pytest.raises(HanalyzeError, match=f"level {level}"):
        simulate("conventional", level=level)


# --- What it cannot see does not matter.


def position(record: GameRecord, turn: int) -> tuple[Game, Viewpoints]:
    """Return the game and its views before a turn."""
    batch = make_batch(deal_records([record])).laid_out(fast=False)
    game, views = Game(), Viewpoints()
    start_game(game, batch, 0)
    begin_viewpoints(game, views, 2)
    for action in record.actions[:turn]:
        game.choice.kind, game.choice.target, game.choice.value = action
        read_for_all(game, views, room_for(0))
        apply_action(game, action.kind, action.target, action.value)
    return game, views


def decision(game: Game, views: Viewpoints) -> tuple[list[int], list[int]]:
    """Return what the player to move does, and what it means."""
    meant = np.zeros(MEANING_SIZE, np.int64)
    choose_by_conventions(game, views, meant)
    choice = game.choice
    return [choice.kind, choice.target, choice.value], meant.tolist()


def other_deck(draw: random.Random, game: Game, deck: list[Card]) -> list[Card] | None:
    """Return a deck that the player to move cannot tell from the real one, None if none comes up.

    The cards of the own hand and of the deck change places, so that all clues touch what they touched.
    """
    seat = int(game.seat)
    hand = [int(game.hands[seat][i]) for i in range(game.hand_len[seat])]
    places = hand + list(range(int(game.drawn), int(game.cards)))
    for _ in range(300):
        left = [deck[order] for order in places]
        draw.shuffle(left)
        new = list(deck)
        # The cards that can be least first, each the first that it can be.
        for order in sorted(hand, key=lambda order: int(game.possible[order]).bit_count()):
            fit = [card for card in left if int(game.possible[order]) >> identity(*card) & 1]
            if not fit:
                break
            new[order] = fit[0]
            left.remove(fit[0])
        else:
            for order, card in zip(places[len(hand) :], left, strict=True):
                new[order] = card
            if [new[order] for order in hand] != [deck[order] for order in hand]:
                return new
    return None


@pytest.mark.parametrize("players", [3, *(pytest.param(n, marks=pytest.mark.heavy) for n in (2, 4, 5))])
def test_own_hidden_cards_change_neither_action_nor_meaning(players: int) -> None:
    draw = random.Random(players)
    tried = 0
    for record in simulate("conventional", players=players, games=4, seed=70, fast=False):
        assert record.deck is not None
        for turn in sorted(draw.sample(range(len(record.actions)), 3)):
            game, views = position(record, turn)
            seat = int(game.seat)
            expected = decision(game, views)
            assert expected[0] == list(record.actions[turn])
            for _ in range(2):
                deck = other_deck(draw, game, list(record.deck))
                if deck is None:
                    continue
                changed, seen = position(
                    GameRecord(players=record.players, deck=deck, actions=record.actions), turn
                )
                if changed.end_condition != EndCondition.UNFINISHED:
                    continue
                assert decision(changed, seen) == expected
                rows = [seat, *(pair(seat, other) for other in range(players) if other != seat)]
                mine, theirs = ([all_views.by_players[row] for row in rows] for all_views in (seen, views))
                np.testing.assert_array_equal(packed(Viewpoint, mine), packed(Viewpoint, theirs))
                tried += 1
    assert tried >= 10


def test_the_game_is_left_as_it_was() -> None:
    [record] = islice(simulate("conventional", players=3, seed=9, fast=False), 1)
    game, views = position(record, 20)
    before, unseen = game.copy(), game.copy().know.unseen
    decision(game, views)
    after = game.copy()
    for one in (before, after):
        # Room to work in, and what is found anew when it is asked for.
        one.choice, one.know = Choice(), Knowledge()
        one.needed = one.critical = one.changed_suits = 0
    np.testing.assert_array_equal(packed(Game, [after]), packed(Game, [before]))
    np.testing.assert_array_equal(game.know.unseen, unseen)
